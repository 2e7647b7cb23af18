//! Results of queries, the queries that have a name, and what the tables hold.

use super::cache::{Method, counted};
use super::{Block, Cell, Class, Column, Names, Note, Table, View};
use crate::tables::schema::{self, Type};
use crate::tables::{NameOf, NamedQuery, QueryResult, Tables, Value};

/// A name as the tables hold it: as it is printed, because SQL can cut and join it at will.
#[must_use]
pub fn name(of: NameOf, name: &str, names: &Names) -> String {
    match of {
        NameOf::Response => names.name(Class::Response, name),
        NameOf::Model => names.name(Class::Model, name),
        NameOf::Version => names.name(Class::Version, name),
        NameOf::Session => names.name(Class::Session, name),
        NameOf::Project if name.contains(['/', '\\']) => names.path(name),
        NameOf::Project | NameOf::Store => names.name(Class::Store, name),
        NameOf::File => names.path(name),
        NameOf::Agent => names.name(Class::Agent, name),
    }
}

/// What the tables were made of and what they leave out.
#[must_use]
pub fn notes(tables: &Tables, method: &Method) -> Vec<Note> {
    let mut notes = Vec::new();
    if tables.too_large > 0 {
        let (one, many) = ("count is too large", "counts are too large");
        let [n, counts] = counted(tables.too_large, one, many);
        notes.push(Note(vec![n, counts, Cell::text(" for a table, null in its place")]));
    }
    if tables.without_time > 0 {
        notes.push(super::cache::without_time(tables.without_time));
    }
    notes.extend(method.nothing_matches(tables.counted));
    let scope = if method.scope.is_empty() { String::new() } else { format!(" · {}", method.scope) };
    let [entries, entries_are] = counted(tables.entries, "entry", "entries");
    let [responses, responses_are] = counted(tables.counted, "response", "responses");
    notes.push(Note(vec![
        entries,
        entries_are,
        Cell::text(" → "),
        responses,
        responses_are,
        Cell::text(format!(
            " · list-price equivalents, no bill · prices of {} · days in {}{scope}",
            method.prices, method.zone
        )),
    ]));
    notes
}

/// A result as one table. Names in it were written as they are printed when the tables were built. Only what we named
/// ourselves is shown as money: in other SQL a name says nothing of the value.
#[must_use]
pub fn view(result: &QueryResult, named: bool) -> View {
    let is_money = |name: &str| named && name.ends_with(MONEY);
    let columns = result.columns.iter().enumerate().map(|(index, (name, ty))| {
        // Whoever wrote the query put first what matters most.
        let priority = u8::try_from(index).unwrap_or(u8::MAX);
        // The cells show dollars.
        let label = name.strip_suffix(MONEY).filter(|_| named).unwrap_or(name);
        match ty {
            Type::Integer | Type::Float => Column::right(name.clone(), label, priority),
            _ => Column::left(name.clone(), label, priority),
        }
    });
    let rows = result.rows.iter().map(|row| {
        row.iter().zip(&result.columns).map(|(value, (name, _))| cell(name, is_money(name), value)).collect()
    });
    let table = Table { key: "rows", columns: columns.collect(), rows: rows.collect(), ..Table::default() };
    View { blocks: vec![Block::Table(table)] }
}

/// How names of columns of money end.
const MONEY: &str = "_pico_usd";

fn cell(name: &str, is_money: bool, value: &Value) -> Cell {
    match value {
        Value::Null => Cell::Empty,
        Value::Boolean(flag) => Cell::text(if *flag { "true" } else { "false" }),
        Value::Text(text) => Cell::text(text),
        Value::Float(number) => Cell::Number(number.to_string()),
        // Points in time are no quantities.
        Value::Integer(n) if name.ends_with("_ms") => Cell::Number(n.to_string()),
        Value::Integer(n) => match u128::try_from(*n) {
            Ok(pico) if is_money => Cell::Money(pico),
            Ok(count) => Cell::Count(count),
            Err(_) if is_money => Cell::MoneyDelta(*n),
            Err(_) => Cell::Number(n.to_string()),
        },
    }
}

/// The queries that have a name, with what they answer.
#[must_use]
pub fn list(queries: &[NamedQuery]) -> View {
    let columns = vec![Column::left("name", "query", 0), Column::left("question", "answers", 0)];
    let rows = queries.iter().map(|query| vec![Cell::code(query.name), Cell::text(query.header().question)]);
    let table = Table { key: "queries", columns, rows: rows.collect(), ..Table::default() };
    let note = "run one with ccaudit query NAME · tables and columns: ccaudit query --schema";
    View { blocks: vec![Block::Table(table), Block::Note(note.into())] }
}

/// Tables and columns with their meaning.
#[must_use]
pub fn schema(tables: &[schema::Table]) -> View {
    let mut blocks = Vec::new();
    for table in tables {
        blocks.push(Block::Heading(format!("{}: {}", table.name, table.meaning)));
        let columns = vec![
            Column::left("column", "column", 0),
            Column::left("type", "type", 0),
            Column::left("unit", "unit", 1),
            Column::left("meaning", "meaning", 0),
        ];
        let rows = table.columns.iter().map(|column| {
            let texts = [column.ty.name(), column.unit, column.meaning];
            std::iter::once(Cell::code(column.name)).chain(texts.map(Cell::text)).collect()
        });
        blocks.push(Block::Table(Table {
            key: table.name,
            columns,
            rows: rows.collect(),
            ..Table::default()
        }));
    }
    View { blocks }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tables::NAMED;

    #[test]
    fn cells_keep_values_exact() {
        let columns = [
            ("n", Type::Integer),
            ("cost_pico_usd", Type::Integer),
            ("share", Type::Float),
            ("at_ms", Type::Integer),
        ];
        let result = QueryResult {
            columns: columns.map(|(name, ty)| (name.to_owned(), ty)).to_vec(),
            rows: vec![
                vec![
                    Value::Integer(1_080),
                    Value::Integer(5),
                    Value::Float(0.25),
                    Value::Integer(1_700_000_000_000),
                ],
                vec![Value::Integer(-3), Value::Integer(-5), Value::Null, Value::Null],
            ],
        };
        let plain = super::view(&result, false);
        let [Block::Table(table)] = plain.blocks.as_slice() else { panic!("one table") };
        assert_eq!((&table.rows[0][1], table.columns[1].label.as_str()), (&Cell::Count(5), "cost_pico_usd"));
        let view = view(&result, true);
        assert_eq!(view.mistakes(), Vec::<String>::new());
        let [Block::Table(table)] = view.blocks.as_slice() else { panic!("one table") };
        let number = |text: &str| Cell::Number(text.to_owned());
        assert_eq!(
            table.rows[0],
            [Cell::Count(1_080), Cell::Money(5), number("0.25"), number("1700000000000")]
        );
        assert_eq!(table.rows[1], [number("-3"), Cell::MoneyDelta(-5), Cell::Empty, Cell::Empty]);
    }

    #[test]
    fn lists_are_sound() {
        assert_eq!(list(NAMED).mistakes(), Vec::<String>::new());
        assert_eq!(schema(schema::TABLES).mistakes(), Vec::<String>::new());
    }
}
