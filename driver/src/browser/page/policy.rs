//! Which addresses are gone to.
//!
//! What an agent asks for is checked before Chrome sees it, since Chrome would go anywhere: to files, to its own pages. What
//! a page goes to by itself is checked by Chrome, which keeps the web's pages from files and from its own, and here where
//! origins are allowed or private addresses blocked: then each request for a document is looked at, redirects too.
//!
//! Without options the policy is one of schemes alone, and where a name leads makes no difference to it. Where private
//! addresses are blocked, names are looked up for each document; Chrome looks them up again, and a name whose server gives
//! another address a moment later (DNS rebinding) is let through. What a page fetches within itself is not looked at. Who
//! must be sure runs Chrome where no private network can be reached.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

use crate::browser::Options;
use crate::error::{Code, Error};

/// Longest `data:` address, in bytes.
const DATA_BYTES: usize = 1 << 20;

/// What is allowed.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Policy {
    /// Origins, `https://example.com:8443`; all where there is none.
    allow_origins: Vec<String>,
    block_private: bool,
}

/// An address of the web, taken apart.
struct Web<'a> {
    scheme: &'static str,
    host: &'a str,
    port: u16,
}

/// What comes of a page that asks to go elsewhere.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Way {
    /// Another document.
    Leaves,
    /// Chrome does not let a page go there.
    Refused,
    /// Nothing that takes its document away.
    Stays,
}

impl Policy {
    /// What the options say. Fails with `cave_invalid_arguments` for what is no origin.
    pub(crate) fn new(options: &Options) -> Result<Self, Error> {
        let origin = |text: &String| {
            let web = Web::parse(text).filter(|_| text.matches('/').count() == 2 || text.trim_end_matches('/') != text);
            web.map(|web| web.origin()).ok_or_else(|| {
                Error::new(Code::InvalidArguments, format!("{text:?} is no origin"))
                    .next("give origins as https://example.com")
            })
        };
        let allow_origins = options.allow_origins.iter().map(origin).collect::<Result<_, _>>()?;
        Ok(Self { allow_origins, block_private: options.block_private })
    }

    /// The address that an agent gives, as it is handed to Chrome. Fails with `cave_browser_url_denied`.
    pub(crate) fn check(&self, url: &str) -> Result<String, Error> {
        // As Chrome reads it: no blanks around it, no line ends in it.
        let url: String = url
            .trim_matches(|character: char| character <= ' ')
            .chars()
            .filter(|character| !matches!(character, '\t' | '\n' | '\r'))
            .collect();
        let denied = |what: &str| Error::new(Code::UrlDenied, format!("{} {what}", shortened(&url)));
        let scheme = url.split(':').next().unwrap_or_default().to_ascii_lowercase();
        match scheme.as_str() {
            "http" | "https" => {
                let web = Web::parse(&url).ok_or_else(|| denied("has no host"))?;
                if self.block_private && web.is_private() {
                    let next = "give a public address, or leave out --block-private";
                    return Err(denied("is a private address, and those are blocked").next(next));
                }
                // What is not plain is looked at when Chrome has read it.
                if web.host.is_ascii() && !self.allows(&web) {
                    return Err(denied("is not of an allowed origin").next(self.allowed()));
                }
            }
            "about" if url.eq_ignore_ascii_case("about:blank") => {}
            "data" => {
                let kind = url.get(..14).filter(|start| start.eq_ignore_ascii_case("data:text/html"));
                if kind.is_none() || !matches!(url.as_bytes().get(14), Some(b',' | b';')) {
                    return Err(denied("is not data:text/html"));
                }
                if url.len() > DATA_BYTES {
                    return Err(denied("is longer than 1 MiB"));
                }
                if !self.allow_origins.is_empty() {
                    return Err(denied("is not of an allowed origin").next(self.allowed()));
                }
            }
            _ if !url.contains(':') || scheme.contains(['.', '/']) => {
                return Err(denied("has no scheme").next(format!("give it as https://{}", shortened(&url))));
            }
            _ => return Err(denied("is not an address of the web")),
        }
        Ok(url)
    }

    /// Whether what a page is at may be read.
    pub(crate) fn may_read(url: &str) -> bool {
        ["http:", "https:", "about:", "data:", "blob:", "chrome-error:"].iter().any(|scheme| url.starts_with(scheme))
            || url.is_empty()
    }

    /// What comes of a page that asks to go to an address, as Chrome writes it.
    pub(crate) fn way(url: &str) -> Way {
        match url.split(':').next().unwrap_or_default() {
            "file" | "data" | "view-source" | "chrome" | "devtools" => Way::Refused,
            "http" | "https" | "about" | "blob" | "" => Way::Leaves,
            // A script of the page's own, or another program's affair: a mail, a call.
            _ => Way::Stays,
        }
    }

    /// Whether requests for documents have to be looked at.
    pub(crate) fn looks_at_requests(&self) -> bool {
        self.block_private || !self.allow_origins.is_empty()
    }

    /// Whether a page, or a frame in it, may go to an address, as Chrome writes it.
    pub(crate) async fn admits(&self, url: &str, is_page: bool) -> bool {
        let Some(web) = Web::parse(url) else { return !url.starts_with("file:") };
        if is_page && !self.allows(&web) {
            return false;
        }
        !self.block_private || !(web.is_private() || resolves_to_private(&web).await)
    }

    fn allows(&self, web: &Web<'_>) -> bool {
        self.allow_origins.is_empty() || self.allow_origins.contains(&web.origin())
    }

    fn allowed(&self) -> String {
        format!("stay within {}", self.allow_origins.join(", "))
    }
}

impl<'a> Web<'a> {
    fn parse(url: &'a str) -> Option<Self> {
        let (scheme, rest) = url.split_once(':')?;
        let (scheme, port) = match scheme.to_ascii_lowercase().as_str() {
            "http" => ("http", 80),
            "https" => ("https", 443),
            _ => return None,
        };
        let rest = rest.strip_prefix("//")?;
        // A backslash ends a host as a slash does: Chrome reads it so.
        let authority = rest.split(['/', '\\', '?', '#']).next()?;
        let host = authority.rsplit('@').next()?;
        let (host, port) = match host.rsplit_once(':') {
            Some((host, "")) if !host.ends_with(':') => (host, port),
            Some((host, digits)) if !digits.contains(']') => (host, digits.parse().ok()?),
            _ => (host, port),
        };
        (!host.is_empty()).then_some(Self { scheme, host, port })
    }

    fn origin(&self) -> String {
        let host = self.host.to_ascii_lowercase();
        match (self.scheme, self.port) {
            ("http", 80) | ("https", 443) => format!("{}://{host}", self.scheme),
            (scheme, port) => format!("{scheme}://{host}:{port}"),
        }
    }

    fn is_private(&self) -> bool {
        let host = self.host.trim_end_matches('.').to_ascii_lowercase();
        if host == "localhost" || host.ends_with(".localhost") {
            return true;
        }
        let bare = host.trim_start_matches('[').trim_end_matches(']');
        // Hosts like `0x7f.1` are numbers to Chrome, and none of them is a name: they are looked at as Chrome writes them.
        bare.parse().is_ok_and(is_private)
    }
}

/// Whether the name stands for a private address. One that stands for nothing is left for Chrome to fail at.
async fn resolves_to_private(web: &Web<'_>) -> bool {
    match tokio::net::lookup_host((web.host, web.port)).await {
        Ok(mut addresses) => addresses.any(|address| is_private(address.ip())),
        Err(_) => false,
    }
}

fn is_private(address: IpAddr) -> bool {
    match address.to_canonical() {
        IpAddr::V4(v4) => is_private_v4(v4),
        IpAddr::V6(v6) => is_private_v6(v6),
    }
}

fn is_private_v4(address: Ipv4Addr) -> bool {
    let [first, second, ..] = address.octets();
    // Also shared addresses (RFC 6598), and the block for benchmarks.
    let shared = first == 100 && second & 0b1100_0000 == 64;
    address.is_loopback()
        || address.is_private()
        || address.is_link_local()
        || address.is_broadcast()
        || address.is_multicast()
        || first == 0
        || shared
        || (first == 198 && second & 0xfe == 18)
}

fn is_private_v6(address: Ipv6Addr) -> bool {
    address.is_loopback()
        || address.is_unspecified()
        || address.is_multicast()
        || address.is_unique_local()
        || address.is_unicast_link_local()
        // NAT64, behind which any address of version 4 may stand.
        || (address.segments()[..2] == [0x64, 0xff9b])
}

/// An address as an error says it.
fn shortened(url: &str) -> String {
    let mut short: String = url.chars().take(100).collect();
    if short.len() < url.len() {
        short.push('…');
    }
    format!("{short:?}").trim_matches('"').to_owned()
}

#[cfg(test)]
mod tests {
    use super::Policy;
    use crate::browser::Options;
    use crate::error::Code;

    #[test]
    fn addresses_of_the_web_are_gone_to_as_chrome_reads_them() {
        for (given, handed_on) in [
            ("http://example.com", "http://example.com"),
            (" \u{1}https://example.com/a b\n", "https://example.com/a b"),
            ("HTTPS://user:pw@example.com:8443/", "HTTPS://user:pw@example.com:8443/"),
            ("http://[::1]:80/", "http://[::1]:80/"),
            ("about:blank", "about:blank"),
            ("data:text/html,<p>x", "data:text/html,<p>x"),
            ("DATA:text/HTML;charset=utf-8,x", "DATA:text/HTML;charset=utf-8,x"),
        ] {
            assert_eq!(Policy::default().check(given).as_deref(), Ok(handed_on));
        }
    }

    #[test]
    fn everything_else_is_refused() {
        let long = format!("data:text/html,{}", "x".repeat(1 << 20));
        for url in [
            "file:///etc/passwd",
            "FILE:/etc/passwd",
            "fi\nle:///etc/passwd",
            "javascript:alert(1)",
            " javascript:alert(1)",
            "java\tscript:alert(1)",
            "view-source:http://example.com",
            "chrome://settings",
            "devtools://devtools",
            "blob:http://example.com/1",
            "about:config",
            "about:blank#x",
            "data:text/plain,x",
            "data:text/htmlx,x",
            "data:image/svg+xml,x",
            "ftp://example.com",
            "http:///path",
            "http://",
            "http:example.com",
            "https://user@/",
            "example.com",
            "example.com:80/x",
            "",
            &long,
        ] {
            let denied = Policy::default().check(url).map_err(|error| error.code);
            assert_eq!(denied, Err(Code::UrlDenied), "{url:.60}");
        }
    }

    #[test]
    fn an_address_without_a_scheme_is_told_how_to_give_it() {
        let error = Policy::default().check("example.com/x").expect_err("it has no scheme");
        assert_eq!(error.next, "give it as https://example.com/x");
    }

    fn policy(origins: &[&str], block_private: bool) -> Policy {
        let allow_origins = origins.iter().map(|&origin| origin.to_owned()).collect();
        Policy::new(&Options { allow_origins, block_private, ..Options::default() }).expect("origins")
    }

    #[tokio::test]
    async fn only_allowed_origins_are_gone_to_and_their_pages_may_hold_frames_of_others() {
        let policy = policy(&["https://Example.com", "http://localhost:8080/"], false);
        for (url, allowed) in [
            ("https://example.com/x", true),
            ("https://example.com:443/x", true),
            ("http://localhost:8080/x", true),
            ("http://example.com/x", false),
            ("https://example.com:444/x", false),
            ("https://example.com.evil.test/", false),
            ("https://example.com@evil.test/", false),
            ("https://evil.test\\@example.com/", false),
            ("data:text/html,x", false),
        ] {
            assert_eq!(policy.check(url).is_ok(), allowed, "{url}");
            if !url.starts_with("data:") {
                assert_eq!(policy.admits(url, true).await, allowed, "{url}");
            }
        }
        assert!(policy.admits("https://frame.test/", false).await);
    }

    #[tokio::test]
    async fn private_addresses_are_blocked_however_they_are_written() {
        let policy = policy(&[], true);
        for host in [
            "127.0.0.1",
            "localhost",
            "a.localhost",
            "localhost.",
            "10.1.2.3",
            "192.168.0.1",
            "172.16.0.1",
            "169.254.1.1",
            "100.64.0.1",
            "0.0.0.0",
            "[::1]",
            "[::ffff:127.0.0.1]",
            "[fd00::1]",
            "[fe80::1]",
            "[64:ff9b::7f00:1]",
        ] {
            assert!(policy.check(&format!("http://{host}/")).is_err(), "{host}");
            assert!(!policy.admits(&format!("http://{host}:8080/"), true).await, "{host}");
            assert!(!policy.admits(&format!("http://{host}/"), false).await, "{host}");
        }
        for host in ["93.184.215.14", "[2606:2800:21f:cb07:6820:80da:af6b:8b2c]"] {
            assert!(policy.admits(&format!("http://{host}/"), true).await, "{host}");
        }
    }

    #[test]
    fn what_is_no_origin_is_refused_at_the_start() {
        for origin in ["example.com", "https://", "file:///", "https://example.com/path"] {
            let options = Options { allow_origins: vec![origin.to_owned()], ..Options::default() };
            assert_eq!(Policy::new(&options).map_err(|error| error.code), Err(Code::InvalidArguments), "{origin}");
        }
    }
}
