//! `ccaudit query`

use anyhow::{Result, anyhow};
use clap::Args;

use super::args::Filters;
use super::ctx::{About, Ctx};
use super::exit::Exit;
use crate::tables::schema::TABLES;
use crate::tables::{self, BuildOptions, NAMED, NamedQuery, QueryError};
use crate::view::{self, v1};

#[derive(Args, Debug)]
#[command(after_help = "Examples:
  ccaudit query cache-by-day --since 30d        a query that comes with ccaudit
  ccaudit query --list                          all of them
  ccaudit query --schema                        tables and columns
  ccaudit query -e 'SELECT model, SUM(output) AS output FROM responses GROUP BY model'")]
#[group(id = "what", required = true, multiple = false, args = ["name", "sql", "list", "schema"])]
pub(super) struct QueryArgs {
    /// Query to run
    #[arg(value_name = "NAME")]
    name: Option<String>,

    /// SQL to run: one SELECT
    ///
    /// The dialect is Polars SQL. Sums of money stand in pico-dollars, of which 10^12 are a dollar.
    /// Names in the tables stand as they are printed: paths below the home folder start with ~/. The filters
    /// choose what is in the tables.
    #[arg(short = 'e', long = "execute", value_name = "SQL")]
    sql: Option<String>,

    /// List the queries that have a name
    #[arg(long)]
    list: bool,

    /// List tables and columns
    #[arg(long)]
    schema: bool,

    #[command(flatten)]
    filters: Filters,
}

pub(super) fn run(args: &QueryArgs, ctx: &Ctx) -> Result<Exit> {
    if args.list {
        let (data, view) = (|| v1::queries(NAMED), || view::query::list(NAMED));
        ctx.emit(About::nothing("ccaudit.query-list/v1"), data, view)?;
        return Ok(Exit::Done);
    }
    if args.schema {
        let (data, view) = (|| v1::tables(TABLES), || view::query::schema(TABLES));
        ctx.emit(About::nothing("ccaudit.query-schema/v1"), data, view)?;
        return Ok(Exit::Done);
    }
    let named = args.name.as_deref().map(find).transpose()?;
    let sql = named.map_or(args.sql.as_deref().unwrap_or_default(), |query| query.sql);
    let scope = ctx.scope(&args.filters)?;
    let prices = ctx.prices()?;
    let corpus = ctx.load()?;
    let names = ctx.names(&corpus, &prices);
    let name = |of, name: &str| view::query::name(of, name, &names);
    let options = BuildOptions { scope: &scope, prices: &prices, name: &name };
    let tables = tables::build(&corpus, &options).map_err(refused)?;
    let result = tables::run(&tables, sql).map_err(refused)?;
    ctx.emit(
        About::tree("ccaudit.query/v1", &corpus, &names)
            .filtered(&args.filters)
            .notes(view::query::notes(&tables, &ctx.method(&prices, &args.filters))),
        || v1::query(&result, named.map(|query| query.name)),
        || view::query::view(&result, named.is_some()),
    )?;
    Ok(Exit::Done)
}

fn find(name: &str) -> Result<&'static NamedQuery> {
    tables::find(name).map_err(|near| {
        let hint = near.map_or_else(String::new, |near| format!("; did you mean {near}?"));
        anyhow!("no query is called {name}{hint} (ccaudit query --list lists them; -e runs SQL)")
    })
}

fn refused(error: QueryError) -> anyhow::Error {
    let hint = error.hint.map_or_else(String::new, |hint| format!("; {hint}"));
    anyhow!("the query was refused: {}{hint}", error.message)
}
