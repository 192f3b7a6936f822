//! TLS to a grid.
//!
//! Who vouches for a grid is what the system says: its own store of roots, or the file and the folder that `SSL_CERT_FILE`
//! and `SSL_CERT_DIR` name instead, which is how an authority of one's own is trusted. Nothing is spoken to a grid that
//! nobody vouches for.

use std::fmt;
use std::io;
use std::sync::Arc;

use tokio::net::TcpStream;
use tokio_rustls::TlsConnector;
use tokio_rustls::client::TlsStream;
use tokio_rustls::rustls::crypto::ring;
#[cfg(test)]
use tokio_rustls::rustls::pki_types::CertificateDer;
use tokio_rustls::rustls::pki_types::ServerName;
use tokio_rustls::rustls::{ClientConfig, RootCertStore};

/// Who vouches for a grid.
pub(super) enum Trust {
    /// Whom the system trusts.
    System,
    /// These alone.
    #[cfg(test)]
    These(Vec<CertificateDer<'static>>),
}

/// The other side is not who it should be.
#[derive(Debug)]
pub(crate) struct Refused(String);

impl fmt::Display for Refused {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "its certificate is not trusted: {}", self.0)
    }
}

impl std::error::Error for Refused {}

impl Trust {
    fn roots(&self) -> RootCertStore {
        let mut roots = RootCertStore::empty();
        let trusted = match self {
            // What can't be read vouches for nobody.
            Self::System => rustls_native_certs::load_native_certs().certs,
            #[cfg(test)]
            Self::These(certificates) => certificates.clone(),
        };
        roots.add_parsable_certificates(trusted);
        roots
    }
}

/// Speaks TLS over a connection to this host.
pub(super) async fn wrap(stream: TcpStream, host: &str, trust: &Trust) -> io::Result<TlsStream<TcpStream>> {
    let config = ClientConfig::builder_with_provider(Arc::new(ring::default_provider()))
        .with_safe_default_protocol_versions()
        .map_err(io::Error::other)?
        .with_root_certificates(trust.roots())
        .with_no_client_auth();
    let name = ServerName::try_from(host.to_owned()).map_err(io::Error::other)?;
    let connected = TlsConnector::from(Arc::new(config)).connect(name, stream).await;
    connected.map_err(|error| match error.kind() {
        io::ErrorKind::InvalidData => io::Error::other(Refused(error.to_string())),
        _ => error,
    })
}
