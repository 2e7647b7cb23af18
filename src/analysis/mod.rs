//! What is looked for in a tree. Pure: data and options in, reports and findings out.

pub mod cache;
pub mod counting;
pub mod counting_rules;
pub mod dag;
pub mod fsck;
pub mod overview;
pub mod retention;
pub mod secrets;
