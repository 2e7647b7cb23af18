//! Makes a query plan give its rows in the same order every time, and a SELECT without a table one row.
//!
//! The engine hashes with a seed of its own for each process and splits work by thread, so that groups, unions,
//! joins and equal sort keys come out in any order. Each of these steps can keep the order of its input instead.
//!
//! Without FROM the engine selects from a table without columns, which cannot hold less than no row: WHERE has nothing to
//! take away. One row of nothing in its place behaves as SQL says.

use std::sync::Arc;

use polars::prelude::{Column, DataFrame, DslPlan, MaintainOrderJoin, NamedFrom, Series, UniqueKeepStrategy};

/// Tells every step of the plan to keep the order of its input.
pub(super) fn keep(plan: &mut DslPlan) {
    match plan {
        DslPlan::GroupBy { input, maintain_order, .. } => {
            *maintain_order = true;
            below(input);
        }
        DslPlan::Sort { input, sort_options, .. } => {
            sort_options.maintain_order = true;
            below(input);
        }
        DslPlan::Distinct { input, options } => {
            options.maintain_order = true;
            if options.keep_strategy == UniqueKeepStrategy::Any {
                options.keep_strategy = UniqueKeepStrategy::First;
            }
            below(input);
        }
        DslPlan::Union { inputs, args } => {
            args.maintain_order = true;
            inputs.iter_mut().for_each(keep);
        }
        DslPlan::Join { input_left, input_right, options, .. } => {
            let args = &mut Arc::make_mut(options).args;
            args.maintain_order = match args.maintain_order {
                MaintainOrderJoin::Right | MaintainOrderJoin::RightLeft => MaintainOrderJoin::RightLeft,
                _ => MaintainOrderJoin::LeftRight,
            };
            below(input_left);
            below(input_right);
        }
        DslPlan::DataFrameScan { df, schema } if schema.is_empty() => {
            let row = Series::new("".into(), [true]);
            if let Ok(frame) = DataFrame::new(1, vec![Column::from(row)]) {
                schema.clone_from(frame.schema());
                *df = Arc::new(frame);
            }
        }
        // A plan that was looked at before: what is kept of that look would hide the changes.
        DslPlan::IR { dsl, .. } => {
            let mut inner = dsl.as_ref().clone();
            keep(&mut inner);
            *plan = inner;
        }
        DslPlan::Filter { input, .. }
        | DslPlan::Cache { input, .. }
        | DslPlan::Select { input, .. }
        | DslPlan::HStack { input, .. }
        | DslPlan::Slice { input, .. }
        | DslPlan::MapFunction { input, .. }
        | DslPlan::MatchToSchema { input, .. } => below(input),
        DslPlan::ExtContext { input, contexts } => {
            below(input);
            contexts.iter_mut().for_each(keep);
        }
        DslPlan::HConcat { inputs, .. } => inputs.iter_mut().for_each(keep),
        DslPlan::Gather { input, idxs, .. } => {
            below(input);
            below(idxs);
        }
        _ => {}
    }
}

fn below(input: &mut Arc<DslPlan>) {
    keep(Arc::make_mut(input));
}
