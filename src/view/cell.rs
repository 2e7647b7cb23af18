//! One value of a view, with its unit and unrounded.

/// What a renderer is given instead of a string. Text prints it short, CSV exact.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Cell {
    /// Nothing to say here.
    #[default]
    Empty,
    /// The question does not arise: a share of nothing, a time to live of an unused cache.
    NotAvailable,
    /// There is an answer, and the tree does not give it.
    Unknown,
    /// A few words; wrapped or shortened in the middle where they do not fit.
    Text(String),
    /// Identifiers and paths, already through [`super::Names`]; of a path the leading folders go first.
    Code(String),
    /// An identifier that people read by its first characters and programs need whole.
    Id {
        full: String,
        short: String,
    },
    /// A number that is printed as it stands, such as a fraction out of a query.
    Number(String),
    /// Things counted, printed exactly.
    Count(u128),
    Tokens(u128),
    /// Tokens known to be a lower bound. CSV prints the bare integer: put the bounds in a column of their own too.
    AtLeastTokens(u128),
    Bytes(u64),
    /// Milliseconds.
    Duration(u64),
    /// A point in time: in UTC for programs, and as the time zone of the report shows it.
    Moment {
        utc: String,
        local: String,
    },
    /// Pico-dollars (10^-12 US dollars).
    Money(u128),
    /// Pico-dollars known to be a lower bound; bare in CSV like [`Self::AtLeastTokens`].
    AtLeastMoney(u128),
    /// Pico-dollars more or less than something else.
    MoneyDelta(i128),
    /// A part of a whole, shown as percent; "n/a" when `den` is 0.
    Share {
        num: u128,
        den: u128,
    },
    /// A factor such as `2.99x`; "n/a" when `den` is 0.
    Times {
        num: u128,
        den: u128,
    },
    /// A relation such as `171:1`; "n/a" when `den` is 0.
    Ratio {
        num: u128,
        den: u128,
    },
    /// A small chart of one bar per value, from zero. Never in CSV: a drawing repeats other numbers.
    Spark(Vec<u128>),
}

/// How the bars of a column of charts are scaled.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Spark {
    /// Every chart is one bar: they share a scale, so that rows can be compared.
    Column { max: u128 },
    /// Charts of several bars show a course: each has its own scale.
    Own,
}

impl Spark {
    /// The scale for the charts among `cells`, which are the cells of one column.
    #[must_use]
    pub fn of<'a>(cells: impl Iterator<Item = &'a Cell>) -> Self {
        let mut max = 0;
        for cell in cells {
            if let Cell::Spark(values) = cell {
                match values.as_slice() {
                    [] => {}
                    [value] => max = max.max(*value),
                    _ => return Self::Own,
                }
            }
        }
        Self::Column { max }
    }
}

impl Cell {
    #[must_use]
    pub fn text(text: impl Into<String>) -> Self {
        Self::Text(text.into())
    }

    #[must_use]
    pub fn code(code: impl Into<String>) -> Self {
        Self::Code(code.into())
    }

    /// May a renderer leave out the middle? Never true for a number: half a number is a wrong one.
    #[must_use]
    pub fn can_shorten(&self) -> bool {
        matches!(self, Self::Text(_) | Self::Code(_) | Self::Id { .. })
    }

    /// May a renderer break it into several lines? Only words: an identifier in two parts is none.
    #[must_use]
    pub fn can_wrap(&self) -> bool {
        matches!(self, Self::Text(_))
    }
}
