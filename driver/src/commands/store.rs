//! `axpress store`: how full the store is, and room in it.

use axpress_driver::store::Store;

use super::blocking;
use crate::arguments;
use crate::failure::Failure;
use crate::{output, report};

pub(crate) fn run(arguments: &arguments::Store) -> Result<(), Failure> {
    let (store, notice) = Store::open(&arguments.place.options())?;
    if let Some(notice) = notice {
        report::note(&notice);
    }
    let (pruned, statistics) = blocking(async {
        let pruned = match arguments.prune {
            Some(most) => Some(store.prune(most).await?),
            None => None,
        };
        Ok::<_, axpress_driver::Error>((pruned, store.statistics().await?))
    })??;
    if arguments.json {
        let mut object = serde_json::to_value(&statistics).unwrap_or_default();
        if let Some(pruned) = pruned {
            object["pruned_now"] = serde_json::to_value(pruned).unwrap_or_default();
        }
        return output::json(&object);
    }
    if let Some(pruned) = pruned {
        report::note(&format!("pruned {}, {} bytes", report::counted(count(pruned.blobs), "original"), pruned.bytes));
    }
    let place = statistics.path.map_or_else(|| "elsewhere".to_owned(), |path| path.display().to_string());
    let age = statistics.oldest.map_or_else(|| "none".to_owned(), age);
    let lines = [
        format!("place      {place}"),
        format!("originals  {}, of which live sessions hold {}", statistics.blobs, statistics.held),
        format!("bytes      {} of {}", statistics.bytes, statistics.budget),
        format!("oldest     {age}"),
        format!("pruned     {}", statistics.pruned),
    ];
    output::text(&lines.join("\n"))
}

fn count(count: u64) -> usize {
    usize::try_from(count).unwrap_or(usize::MAX)
}

fn age(seconds: u64) -> String {
    match seconds {
        0..120 => format!("{seconds} seconds ago"),
        120..7200 => format!("{} minutes ago", seconds / 60),
        7200..172_800 => format!("{} hours ago", seconds / 3600),
        _ => format!("{} days ago", seconds / 86_400),
    }
}
