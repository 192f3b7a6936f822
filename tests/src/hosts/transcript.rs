//! Rust's own transcript, which the other hosts' must equal.

use std::fs;
use std::io::Write;

use axpress_core::{
    ChangeKind, Compressor, Delta, DeltaKind, Error, Frame, Handle, OutlineOptions, Snapshot, Statistics, Uid, View,
    ViewOptions,
};

use super::cases::Case;

/// What comes of all cases, by one compressor.
///
/// # Panics
/// Where a file of a case can't be read.
#[must_use]
pub fn transcript(cases: &[Case]) -> Vec<u8> {
    let mut compressor = Compressor::new();
    let mut out = Vec::new();
    for (number, case) in (1..).zip(cases) {
        line(&mut out, &format!("case {number} {}", case.operation));
        if let Err(error) = run(&mut compressor, case, &mut out) {
            line(&mut out, &format!("status {} offset {}", error.kind.number(), error.offset));
            bytes(&mut out, "error", error.to_string().as_bytes());
        }
    }
    out
}

fn run(compressor: &mut Compressor, case: &Case, out: &mut Vec<u8>) -> Result<(), Error> {
    let read = |path| fs::read(path).expect("a case's file can be read");
    let mut payload = read(&case.payload);
    payload.truncate(case.cut.unwrap_or(usize::MAX));
    let documents: Vec<_> = case.frames.iter().map(|(owner, number, path)| (*owner, *number, read(path))).collect();
    let frame = |(owner, number, payload)| Frame { owner, number, payload };
    let frames: Vec<_> = documents.iter().map(|(owner, number, payload)| frame((*owner, *number, payload))).collect();
    let page = Snapshot { payload: &payload, frames: &frames };
    let options = ViewOptions {
        query: case.query.as_deref(),
        max_bytes: case.max_bytes,
        viewport: &case.viewport,
        secrets: &case.secrets,
        clickable: &case.clickable,
        urls: case.urls,
        root: case.root,
    };
    match case.operation {
        "scan" => statistics(out, &compressor.scan(&payload)?),
        "outline" => {
            let Case { max_chars, dedup_text, .. } = *case;
            let options = OutlineOptions { max_chars, dedup_text, secrets: &case.nodes };
            let outline = compressor.outline(&payload, &options)?;
            bytes(out, "text", outline.text.as_bytes());
            line(out, &format!("counts {} {} {}", outline.nodes, outline.unreached, outline.too_deep));
        }
        "view" => view(out, &compressor.view(page, &options)?),
        "compress" => {
            let compressed = compressor.compress(page, &options)?;
            view(out, &compressed.view);
            bytes(out, "handle", compressed.handle.to_string().as_bytes());
            bytes(out, "blob", compressed.blob);
            line(out, &format!("original_bytes {}", compressed.original_bytes));
            line(out, &format!("uncompressed {}", i32::from(compressed.uncompressed)));
        }
        "delta" => {
            let before = read(case.before.as_ref().expect("a delta has a page before"));
            let before = Snapshot { payload: &before, frames: &frames };
            delta(out, &compressor.delta(before, page, &options)?);
        }
        "nodes" => {
            for range in compressor.nodes(&payload, case.query.as_deref().unwrap_or_default())? {
                line(out, &format!("node {} {}", range.start, range.end));
            }
        }
        "pack" => {
            let (handle, blob) = compressor.pack(&payload)?;
            bytes(out, "handle", handle.to_string().as_bytes());
            bytes(out, "handle", Handle::of(&payload).to_string().as_bytes());
            bytes(out, "blob", blob);
        }
        "unpack" => bytes(out, "original", compressor.unpack(&payload)?),
        other => panic!("no operation {other}"),
    }
    Ok(())
}

fn view(out: &mut Vec<u8>, view: &View<'_>) {
    bytes(out, "text", view.text.as_bytes());
    uids(out, view.uids);
    let left = view.left_out;
    let counts = [view.nodes, view.frames_left_out, left.controls, left.characters, left.lines, left.matches];
    line(out, &format!("counts {}", counts.map(|count| count.to_string()).join(" ")));
}

fn uids(out: &mut Vec<u8>, uids: &[Uid]) {
    out.extend_from_slice(b"uids");
    for uid in uids {
        // Writing into a vector can't fail.
        let _ = write!(out, " {}.{}", uid.frame, uid.node);
    }
    out.push(b'\n');
}

fn delta(out: &mut Vec<u8>, delta: &Delta<'_>) {
    let kind = match delta.kind {
        DeltaKind::Unchanged => "unchanged",
        DeltaKind::Changed => "changed",
        _ => "rewritten",
    };
    line(out, &format!("delta {kind} {} {}", delta.lines_before, delta.lines_after));
    bytes(out, "text", delta.text.as_bytes());
    uids(out, delta.uids);
    let position = |position: Option<u32>| position.map_or(-1, i64::from);
    for change in delta.changes {
        let kind = match change.kind {
            ChangeKind::Came => "came",
            ChangeKind::Went => "went",
            ChangeKind::Changed => "changed",
            ChangeKind::Moved => "moved",
            _ => "indented",
        };
        line(out, &format!("{kind} {} {}", position(change.before), position(change.after)));
        bytes(out, "line", delta.line(change).as_bytes());
    }
    line(out, &format!("frames_left_out {}", delta.frames_left_out));
}

fn statistics(out: &mut Vec<u8>, counts: &Statistics) {
    let Statistics { nodes, repeats, roots, .. } = counts;
    line(out, &format!("statistics {nodes} {repeats} {roots}"));
}

fn bytes(out: &mut Vec<u8>, name: &str, bytes: &[u8]) {
    line(out, &format!("{name} {}", bytes.len()));
    out.extend_from_slice(bytes);
    out.push(b'\n');
}

fn line(out: &mut Vec<u8>, line: &str) {
    // Writing into a vector can't fail.
    let _ = writeln!(out, "{line}");
}
