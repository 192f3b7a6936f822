//! How much a call may take. Reaching a limit is an error, never an abort.

/// Limits of a [`Compressor`](crate::Compressor), each a setting.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Limits {
    /// Most bytes of one payload, and of what one blob may unpack to. Offsets are 32 bits wide: more than
    /// `u32::MAX` counts as that.
    pub input_bytes: usize,
    /// Most nodes of one payload, and of one page with its frames.
    pub nodes: usize,
    /// Most bytes of one result.
    pub output_bytes: usize,
}

impl Limits {
    /// 1 GiB of input, 16 M nodes, 256 MiB of output.
    pub const DEFAULT: Self = Self { input_bytes: 1 << 30, nodes: 16 << 20, output_bytes: 256 << 20 };
}

impl Default for Limits {
    fn default() -> Self {
        Self::DEFAULT
    }
}
