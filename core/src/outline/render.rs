//! The lines of an outline: one a node, two spaces a level.

use super::python::Python;
use super::trim::Item;
use super::writer::{Writer, one_line};
use super::{OutlineOptions, TRUNCATED};
use crate::error::{Error, ErrorKind};
use crate::limits::Limits;
use crate::table::{NONE, Table};

/// How many levels are printed.
const LEVELS: u32 = 60;
/// A line's end and the deepest line's indentation.
const MARGIN: &[u8; 1 + 2 * LEVELS as usize] = &{
    let mut margin = [b' '; 1 + 2 * LEVELS as usize];
    margin[0] = b'\n';
    margin
};

/// Writes the lines of the items and says how many are too deep to be printed.
pub(super) fn render(
    payload: &[u8],
    table: &Table,
    items: &mut [Item],
    options: &OutlineOptions,
    limits: &Limits,
    python: &mut Python,
    out: &mut Writer,
) -> Result<usize, Error> {
    // Once four bytes were written for each code point that is wanted and one more, the cut is in what is there.
    let wanted =
        if options.max_chars == 0 { usize::MAX } else { options.max_chars.saturating_add(1).saturating_mul(4) };
    out.begin(limits.output_bytes.min(wanted));
    let (mut too_deep, mut place, mut index) = (0, 0, 0);
    while let Some(&item) = items.get(index) {
        let role = item.role.role();
        let level =
            if item.parent == NONE { 0 } else { items.get(item.parent as usize).map_or(0, |above| above.level) };
        let below = if role.skipped { level } else { level + 1 };
        // The children of what was merged into it ask that one.
        for merged in items.get_mut(index..item.next as usize).unwrap_or_default() {
            merged.level = below;
        }
        index = item.next as usize;
        if role.skipped {
            continue;
        }
        if level >= LEVELS {
            too_deep += 1;
            continue;
        }
        if out.is_full() {
            continue;
        }
        place = item.row;
        // The first line has no line's end before it.
        let margin = usize::from(out.is_empty())..1 + 2 * level as usize;
        out.push(MARGIN.get(margin).unwrap_or_default());
        out.push(table.roles.name(item.role).as_bytes());
        if !item.name.is_none() {
            out.push(b" \"");
            one_line(item.name.of(payload), out);
            out.push(b"\"");
        }
        if role.valued {
            let value = item.value.of(payload);
            if !value.is_empty() && value != b"\"\"" {
                out.push(b" = ");
                python.repr(value, out);
            }
        }
        if role.actionable && item.backend != 0 {
            out.push(b"  #ref=");
            out.push_number(item.backend);
        }
        if out.is_full() && options.max_chars == 0 {
            break;
        }
    }
    let cut = match options.max_chars {
        0 => Some(false),
        count => out.cut(count, TRUNCATED, limits.output_bytes),
    };
    match cut {
        Some(cut) if cut || !out.is_full() => Ok(too_deep),
        _ => {
            let offset = table.places.get(place as usize).map_or(0, |place| place.start as usize);
            Err(Error::new(ErrorKind::OutputTooLarge, offset))
        }
    }
}
