//! Payloads of long pages, made in any length, as Chromium writes them.
//!
//! A table of 500 rows is 4 MB of payload: too much to keep in the repository, and what is asked of it is asked of 200
//! and of 20 rows too. So these functions write the payload of such a page: same nodes, same order, same keys, same
//! bytes. Three fixtures hold captures of the same pages with 20 rows, and a test holds the functions to them
//! ([`with_numbered_ids`] makes the two comparable: only ids may differ).
//!
//! What differs from a real capture: ids are handed out plainly (texts from 2, then the other nodes in document order),
//! where Chromium also counts what never becomes a node.

mod bodies;
mod payload;

pub use payload::with_numbered_ids;

use bodies::{
    article, button, caption, cell, column_header, document, feed, filter, heading, ignored, labelled_button, link,
    main, paragraph, row, row_group, static_text, status, table,
};
use payload::{Payload, Place};

/// The page of the fixture `rows-one-button`: a table with one button a row, named by the row.
///
/// `status` is the text of its status line; the fixture has `Nothing checked yet`.
#[must_use]
pub fn berths(rows: usize, status_text: &str) -> Vec<u8> {
    const PLACES: [&str; 7] = ["Arendal", "Brest", "Calais", "Dover", "Emden", "Fowey", "Gdynia"];
    const TRADES: [&str; 5] = ["Nets", "Ropes", "Pilots", "Salvage", "Ice"];
    const STATES: [&str; 4] = ["to be checked", "free", "on hold", "taken"];
    let (mut page, main) = start("Berths", "http://fixtures.test/rows-one-button/page.html", "Berths");
    status_line(&mut page, main, status_text);
    let columns = ["Berth", "Skipper", "State", "Fee", "Action"];
    let group = start_table(&mut page, main, "Berths to be checked", &columns);
    for number in 0..rows {
        let berth = format!("BTH-{number:04}");
        let row = page.element(group, row());
        let skipper = format!("{} {}", pick(&PLACES, number), pick(&TRADES, number * 3));
        let fee = format!("EUR {}.{:02}", 15 + number * 2, number * 7 % 100);
        for text in [berth.as_str(), &skipper, pick(&STATES, number), &fee] {
            text_cell(&mut page, row, text);
        }
        let name = format!("Check {berth}");
        let last = page.element(row, cell(&name));
        let check = page.element(last, labelled_button(&name, "Check"));
        text(&mut page, check, "Check");
    }
    page.write()
}

/// The page of the fixture `rows-two-buttons`: a table with two buttons a row, and a search field above it.
///
/// `status` is the text of its status line; the fixture has `Idle`.
#[must_use]
pub fn catches(rows: usize, status_text: &str) -> Vec<u8> {
    const FIRST: [&str; 6] = ["Old", "Swift", "Grey", "Long", "Northern", "Silent"];
    const SECOND: [&str; 7] = ["Heron", "Gull", "Otter", "Seal", "Tern", "Cormorant", "Eider"];
    const STATES: [&str; 3] = ["weighed", "open", "late"];
    let (mut page, main) = start("Catches", "http://fixtures.test/rows-two-buttons/page.html", "Catches");
    status_line(&mut page, main, status_text);
    let label = page.element(main, bodies::label());
    text(&mut page, label, "Filter ");
    let filter = page.element_about(label, filter("Filter", "Filter "), label);
    let editor = page.element(filter, bodies::ignored_without_reason());
    page.element(editor, bodies::editor());
    let columns = ["Catch", "Boat", "Landed", "State", "Weight", "Actions"];
    let group = start_table(&mut page, main, "All catches", &columns);
    for number in 0..rows {
        let name = format!("CTC-{number:05}");
        let row = page.element(group, row());
        let boat = format!("{} {} II", pick(&FIRST, number * 5), pick(&SECOND, number));
        let landed = format!("2026-{:02}-{:02}", number % 12 + 1, number % 28 + 1);
        let weight = format!("{}.{:02} kg", 10 + number * 37, number % 100);
        for text in [name.as_str(), &boat, &landed, pick(&STATES, number), &weight] {
            text_cell(&mut page, row, text);
        }
        let delete_name = format!("Delete {name}");
        let last = page.element(row, cell(&format!("Open {delete_name}")));
        let open = page.element(last, button("Open"));
        text(&mut page, open, "Open");
        let delete = page.element(last, labelled_button(&delete_name, "Delete"));
        text(&mut page, delete, "Delete");
    }
    page.write()
}

/// The page of the fixture `cards`: a feed of cards, each a heading that is a link, a paragraph and three buttons.
///
/// `status` is the text of its status line; the fixture has `Idle`.
#[must_use]
pub fn cards(cards: usize, status_text: &str) -> Vec<u8> {
    const WORDS: [&str; 13] = [
        "Anchor", "Buoy", "Capstan", "Dinghy", "Ebb", "Fender", "Galley", "Halyard", "Inlet", "Jetty", "Keel",
        "Lantern", "Mooring",
    ];
    let (mut page, main) = start("Harbour news", "http://fixtures.test/cards/page.html", "Harbour news");
    let feed = page.element(main, feed());
    for number in 0..cards {
        let title = format!("{} {number}", pick(&WORDS, number));
        let card = page.element(feed, article());
        let heading = page.element(card, heading(&title, 2));
        let link = page.element(heading, link(&title, &format!("http://fixtures.test/news/{number}")));
        text(&mut page, link, &title);
        let notice = page.element(card, paragraph());
        let (first, second) = (pick(&WORDS, number * 7), pick(&WORDS, number * 11 + 3));
        text(&mut page, notice, &format!("Notice number {number} about {first} and {second}."));
        for name in ["Like", "Reply", "Share"] {
            let place = page.element(card, button(name));
            text(&mut page, place, name);
        }
    }
    status_line(&mut page, main, status_text);
    page.write()
}

/// A page with its title and its main heading, and the place of `main`.
fn start(title: &str, address: &str, heading_text: &str) -> (Payload, Place) {
    let mut page = Payload::new(document(title, address));
    let html = page.element(Payload::ROOT, ignored());
    let body = page.element(html, ignored());
    let main = page.element(body, main());
    let heading = page.element(main, heading(heading_text, 1));
    text(&mut page, heading, heading_text);
    (page, main)
}

/// A table with its caption and header row: the place of the group of its other rows.
fn start_table(page: &mut Payload, main: Place, caption_text: &str, columns: &[&str]) -> Place {
    let table = page.element(main, table(caption_text));
    let caption = page.element(table, caption());
    page.set_about(table, caption);
    text(page, caption, caption_text);
    let head = page.element(table, row_group());
    let header = page.element(head, row());
    for column in columns {
        let place = page.element(header, column_header(column));
        text(page, place, column);
    }
    page.element(table, row_group())
}

fn status_line(page: &mut Payload, main: Place, status_text: &str) {
    let place = page.element(main, status());
    text(page, place, status_text);
}

fn text_cell(page: &mut Payload, row: Place, content: &str) {
    let place = page.element(row, cell(content));
    text(page, place, content);
}

/// A text node with its line box. It must fit on one line of the page, or Chromium makes several boxes.
fn text(page: &mut Payload, parent: Place, content: &str) {
    let place = page.text(parent, static_text(content));
    // The box has the text as it is laid out: blanks at the end of a line are still there.
    page.text_box(place, bodies::inline_text_box(content));
}

fn pick<'a>(list: &[&'a str], at: usize) -> &'a str {
    list[at % list.len()]
}
