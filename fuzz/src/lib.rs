//! Reads arbitrary bytes as what they claim to be, and holds what comes out to laws.

pub mod csv;
mod fitted;
pub mod model;
pub mod moments;

/// A file with this content and the checksum of it, which no mutation would guess.
fn sealed(format: &str, version: u64, key: &str, content: &[u8]) -> Vec<u8> {
    let content = content.trim_ascii();
    let crc32 = crc32fast::hash(content);
    let head = format!(
        "{{\"format\":\"{format}\",\"version\":{version},\"crc32\":\"{crc32:08x}\",\"{key}\":"
    );
    [head.as_bytes(), content, b"}\n"].concat()
}
