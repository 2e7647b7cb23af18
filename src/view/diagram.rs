//! A graph to be drawn by another program.

use super::Note;

/// Boxes and the arrows between them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Diagram {
    pub title: String,
    pub boxes: Vec<DiagramBox>,
    pub arrows: Vec<Arrow>,
}

/// One box; arrows know it by its place in [`Diagram::boxes`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DiagramBox {
    pub lines: Vec<Note>,
    pub look: Look,
}

/// How a box looks.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Look {
    #[default]
    Plain,
    /// It is no longer part of the conversation.
    Faded,
    /// Something ends here and begins anew.
    Strong,
    /// It goes on elsewhere.
    Round,
}

/// An arrow between two boxes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Arrow {
    pub from: usize,
    pub to: usize,
    /// Empty for none.
    pub label: String,
    pub dashed: bool,
}
