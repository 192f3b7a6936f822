//! The MCP server: the five tools on standard input and output, in both eras of the protocol.
//!
//! `initialize` (2024-11-05 to 2025-11-25) and the stateless revision (2026-07-28, `server/discover`) are answered
//! before a browser is started. A call that can't be understood, or a tool that there is not, is an error of the
//! protocol; a tool that failed is a result that says so, since that is what an agent gets to read. A call that is
//! cancelled is dropped where it is and not answered.

mod catalog;
mod lines;
#[cfg(test)]
mod tests;

use std::sync::{Arc, Once};

use rmcp::model::{
    CallToolRequestParams, CallToolResponse, CallToolResult, ContentBlock, ErrorCode, Implementation, ListToolsResult,
    MetaObject, PaginatedRequestParams, ServerCapabilities, ServerConfig,
};
use rmcp::service::RequestContext;
use rmcp::{ErrorData, RoleServer, ServerHandler, ServiceExt};
use tokio::io::{AsyncRead, AsyncWrite};

use crate::error::{Code, Error};
use crate::tokens;
use crate::tools::{Answer, Content, Pages, Session, Tools};
use lines::{Lines, protocol_error};

/// Serves one client until it closes its end.
pub async fn serve<P: Pages>(
    tools: Arc<Tools<P>>,
    read: impl AsyncRead + Send + Unpin + 'static,
    write: impl AsyncWrite + Send + Unpin + 'static,
) {
    let server = Server { tools, session: Arc::default(), counting: Once::new() };
    // Fails only where the client goes before it has said anything that could be answered.
    if let Ok(running) = server.serve(Lines::new(read, write)).await {
        let _ = running.waiting().await;
    }
}

/// The server of one connection.
struct Server<P> {
    tools: Arc<Tools<P>>,
    session: Arc<Session>,
    /// The vocabulary is loaded beside the first call, and not before an agent needs it.
    counting: Once,
}

impl<P: Pages> ServerHandler for Server<P> {
    fn get_info(&self) -> ServerConfig {
        let mut config = ServerConfig::new(ServerCapabilities::builder().enable_tools().build());
        config.server_info = Implementation::new("axpress", env!("CARGO_PKG_VERSION"));
        config.instructions = Some(catalog::INSTRUCTIONS.to_owned());
        config
    }

    async fn list_tools(
        &self,
        _: Option<PaginatedRequestParams>,
        _: RequestContext<RoleServer>,
    ) -> Result<ListToolsResult, ErrorData> {
        Ok(ListToolsResult::with_all_items(catalog::tools()))
    }

    async fn call_tool(
        &self,
        request: CallToolRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        self.counting.call_once(tokens::prepare);
        let (tools, session) = (Arc::clone(&self.tools), Arc::clone(&self.session));
        let (name, arguments) = (request.name.into_owned(), request.arguments.unwrap_or_default());
        let tool = name.clone();
        // A task of its own: a panic in it is its end alone, and so is a cancellation.
        let mut call = tokio::spawn(async move { tools.call(&session, &tool, &arguments).await });
        let done = tokio::select! {
            done = &mut call => done,
            () = context.ct.cancelled() => {
                call.abort();
                // Not sent: who cancels is owed no answer.
                return Err(ErrorData::new(ErrorCode::INTERNAL_ERROR, "cancelled", None));
            }
        };
        match done {
            Ok(Some(answer)) => Ok(result(answer).into()),
            Ok(None) => {
                let what = format!("there is no tool {name:?}");
                Err(protocol_error(ErrorCode::INVALID_PARAMS, Code::UnknownTool, &what))
            }
            Err(_) => Ok(result(Answer::error(&Error::new(Code::ToolPanicked, format!("{name} panicked")))).into()),
        }
    }
}

/// An answer as the protocol has it. There is no structured content: clients would show it instead of the text.
fn result(answer: Answer) -> CallToolResult {
    let content = answer.content.into_iter().map(|content| match content {
        Content::Text(text) => ContentBlock::text(text),
        Content::Image(base64) => ContentBlock::image(base64, "image/png"),
    });
    let content = content.collect();
    let mut result = if answer.is_error { CallToolResult::error(content) } else { CallToolResult::success(content) };
    result.meta = Some(MetaObject(answer.meta));
    result
}
