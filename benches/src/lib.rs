//! What the benches share: payloads, the stages of the core, and peers that read the same bytes.
//!
//! Payloads come from the folder in `AXPRESS_PAYLOADS` (every `*ax.json` below it), else from the repository's own
//! fixtures. A bench checks what a stage gives before it times it.

pub mod payloads;
pub mod peers;
pub mod stages;
