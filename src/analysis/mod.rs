//! What is looked for in a tree. Pure: data and options in, reports and findings out.

pub mod counting_rules;
pub mod fsck;
