//! Matrix product of matrices whose rows are on several ranks.
#![forbid(unsafe_code)]

use super::copy;
use super::crossing::{Crossing, Underway};
use super::matmul::{self, MatmulOrder, Options, Storage, check_dtype_of_c};
use super::ranks;
use crate::array::{Input, Output, Owned, all_apart};
use crate::comm::{Comm, Field};
use crate::context::Context;
use crate::error::{Error, Result};
use crate::memory::Place;
use crate::model::dtype::Dtype;
use crate::model::numbered::NumberedEnum;
use crate::vector;

/// This rank's rows of C ← alpha·A·B + beta·C, A and C with m rows here, B with k; as many columns of B and C on all ranks, and as many of A as
/// B has rows on all ranks.
///
/// Algorithm: SUMMA on a column of ranks: of A, the columns that meet the rows of B on one rank are multiplied with these, for one rank after the
/// other, beginning with the rank's own. In each step every rank gets the rows of another rank, so that all links are in use; where devices
/// copy from each other, those of the next step cross while a step computes.
/// Cost: that of the product; B crosses once to each rank. Takes the most rows of B of a rank two times, with two ranks once.
/// Source: R. van de Geijn, J. Watts, "SUMMA: Scalable Universal Matrix Multiplication Algorithm", 1997.
pub fn matmul(
    ctx: &mut Context,
    comm: &mut Comm,
    options: &Options,
    [m, n, k]: [usize; 3],
    (a, b): (Input, Input),
    mut c: Output,
) -> Result<()> {
    let dtype = check(options, n)?;
    let (rank, factor) =
        (comm.rank(), |factor: Option<[f64; 2]>, natural| factor.map_or(natural, |[re, _]| re));
    let (alpha, beta) = (factor(options.alpha, 1.0), factor(options.beta, 0.0));
    let ((), told) = comm.agree(
        Ok(()),
        &[
            Field::own(k),
            Field::same("n", n),
            Field::same("options.dtype", dtype as i32),
            Field::same("options.alpha, as the bits of a double,", f64::to_bits(alpha)),
            Field::same("options.beta, as the bits of a double,", f64::to_bits(beta)),
        ],
    )?;
    let starts = ranks::offsets(told.of_all(0))?;
    let starts =
        vector::collected(starts.into_iter().map(|start| usize::try_from(start).unwrap_or(usize::MAX)))?;
    let product = Steps { options, dtype, m, n, lda: options.a.ld, starts };
    let (ranks, Panels { own, others: [mut one, mut other], mut crossing }) =
        (comm.ranks(), product.prepare(ctx, comm, (a, b), &mut c)?);
    let own_bytes = product.bytes(rank)?;
    let own = own.as_ref().map_or(b, |own| own.input("rows of B", 0, own_bytes));
    comm.agree(Ok(()), &[])?;
    let mut outcome = Ok(());
    let (mut computed, mut arriving) = (&mut one, &mut other); // which take turns
    for step in 0..ranks {
        let next = match step + 1 {
            next if next < ranks => {
                comm.agree(std::mem::replace(&mut outcome, Ok(())), &[])?;
                Some(product.begin(ctx, comm, own, (&mut crossing, arriving), next)?)
            }
            _ => None,
        };
        let owner = (rank + step) % ranks;
        let rows = if step == 0 { own } else { computed.input("rows of B", 0, product.bytes(owner)?) };
        outcome = outcome.and_then(|()| product.add(ctx, owner, a, rows, c.reborrow(), step == 0));
        next.map_or(Ok(()), |underway| underway.settle(ctx, comm))?;
        std::mem::swap(&mut computed, &mut arriving);
    }
    outcome
}

/// What several ranks serve.
fn check(options: &Options, n: usize) -> Result<Dtype> {
    let dtype = options.dtype.or(Dtype::F32);
    if !matches!(dtype, Dtype::F32 | Dtype::F64) {
        return super::dtypes::unsupported("dtype", dtype, "F32 and F64 on several ranks");
    }
    check_dtype_of_c(dtype, options.dtype_c)?;
    let refused = |what: &str| {
        Err(Error::unsupported(format!(
            "{what}; on several ranks matrices lie row by row, one product at a time"
        )))
    };
    if options.order != MatmulOrder::Row {
        return refused(&format!("options.order is {}", options.order.c_name()));
    }
    if options.a.transposed || options.b.transposed {
        return refused("options.trans_a or options.trans_b is set");
    }
    if options.batch > 1 {
        return refused(&format!("options.batch is {}", options.batch));
    }
    match options.b.ld {
        0 => Ok(dtype),
        ld if ld == n => Ok(dtype),
        ld => refused(&format!("options.ldb is {ld} and n is {n}")),
    }
}

/// One product of this rank.
struct Steps<'o> {
    options: &'o Options,
    dtype: Dtype,
    m: usize,
    n: usize,
    lda: usize,
    starts: Vec<usize>, // the first row of B of each rank, and behind them how many there are
}

/// Rows of B: this rank's, where they are not B itself, and those of another one.
struct Panels {
    own: Option<Owned>,
    others: [Owned; 2], // in turn
    crossing: Crossing,
}

impl Steps<'_> {
    /// Bytes of the rows of B of a rank.
    fn bytes(&self, rank: usize) -> Result<usize> {
        let rows = self.starts[rank + 1] - self.starts[rank];
        let bytes = rows.checked_mul(self.n).and_then(|count| count.checked_mul(self.dtype.size()));
        bytes
            .filter(|&bytes| isize::try_from(bytes).is_ok())
            .ok_or_else(|| Error::out_of_memory("memory", usize::MAX))
    }

    /// Elements from one row of A to the next.
    fn row_of_a(&self) -> usize {
        if self.lda == 0 { self.starts[self.starts.len() - 1] } else { self.lda }
    }

    fn prepare(
        &self,
        ctx: &mut Context,
        comm: &Comm,
        (a, b): (Input, Input),
        c: &mut Output,
    ) -> Result<Panels> {
        let (rank, ranks, all) = (comm.rank(), comm.ranks(), self.starts[comm.ranks()]);
        let (row, row_of_c) = (self.row_of_a(), self.options.c.ld.max(self.n));
        for (name, ld, least) in [
            ("lda", row, all),
            ("ldc", if self.options.c.ld == 0 { self.n } else { self.options.c.ld }, self.n),
        ] {
            if ld < least {
                return Err(Error::invalid(format!(
                    "options.{name} is {ld}, less than the {least} elements of a row"
                )));
            }
        }
        let extent = |row: usize, last: usize| {
            if self.m == 0 || last == 0 { 0 } else { row.saturating_mul(self.m - 1).saturating_add(last) }
        };
        let own_rows = self.starts[rank + 1] - self.starts[rank];
        let a = a.view_of(self.dtype, &[extent(row, all)])?;
        let rows_of_b = b.view_of(self.dtype, &[own_rows, self.n])?;
        all_apart(&[&c.reborrow().view_of(self.dtype, &[extent(row_of_c, self.n)])?], &[&a, &rows_of_b])?;
        let largest = (0..ranks).try_fold(0, |most, rank| Ok(self.bytes(rank)?.max(most)))?;
        let (bytes, most) = (self.bytes(rank)?, if ranks == 1 { 0 } else { largest });
        let mut crossing = Crossing::new(ctx, comm, bytes, most)?;
        let is_there = matches!(b.view::<u8>(&[bytes])?.place(), Place::Device(_)) || bytes == 0;
        let own = match &crossing {
            Crossing::Direct if !is_there => {
                let mut own = ctx.work(bytes)?;
                copy::copy(ctx, own.output("rows of B", 0, bytes), b, bytes)?;
                Some(own)
            }
            _ => None,
        };
        crossing.pack(ctx, b, bytes)?;
        let others = [ctx.work(if ranks > 2 { most } else { 0 })?, ctx.work(most)?];
        Ok(Panels { own, others, crossing })
    }

    /// others ← the rows of the rank that is `step` ranks behind this one, which gives its own to the one before it by as many.
    fn begin<'p>(
        &self,
        ctx: &mut Context,
        comm: &mut Comm,
        own: Input<'p>,
        (crossing, others): (&mut Crossing, &'p mut Owned),
        step: usize,
    ) -> Result<Underway<'p>> {
        let (rank, ranks) = (comm.rank(), comm.ranks());
        let (owner, reader) = ((rank + step) % ranks, (rank + ranks - step) % ranks);
        let (sent, received) = (self.bytes(rank)?, self.bytes(owner)?);
        let sends = (0..ranks).map(|to| 0..if to == reader { sent } else { 0 });
        let receives = (0..ranks).map(|from| if from == owner { received } else { 0 });
        let (sends, receives) = comm.moved(|_| Ok((vector::collected(sends)?, ranks::ranges(receives)?)))?;
        crossing.begin(ctx, comm, (own, &sends), (others, &receives))
    }

    /// C ← alpha·(the columns of A that meet the rows of B of a rank)·(these rows), and beta·C first, or C.
    fn add(
        &self,
        ctx: &mut Context,
        owner: usize,
        a: Input,
        rows: Input,
        c: Output,
        is_first: bool,
    ) -> Result<()> {
        let (start, k) = (self.starts[owner], self.starts[owner + 1] - self.starts[owner]);
        if self.m == 0 || (k == 0 && !is_first) {
            return Ok(());
        }
        let options = Options {
            a: Storage { ld: self.row_of_a().max(1), ..self.options.a },
            b: Storage { ld: 0, ..self.options.b },
            beta: if is_first { self.options.beta } else { Some([1.0, 0.0]) },
            ..*self.options
        };
        matmul::matmul(ctx, &options, self.m, self.n, k, a.behind(start * self.dtype.size()), rows, c)
    }
}
