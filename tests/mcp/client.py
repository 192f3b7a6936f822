"""The official Python SDK as a client: lists the tools and calls all of them, in the era that is named."""

import asyncio
import os
import re
import sys

from mcp import Client, StdioServerParameters

PAGE = "data:text/html,<title>Pier</title><h1>Pier</h1><button onclick=\"this.textContent='Moored'\">Moor</button>" + \
    "<p>" + "Boats lie here. " * 40 + "</p>"


def text(result) -> str:
    return result.content[0].text


async def main(era: str) -> None:
    server = StdioServerParameters(command=os.environ["AXPRESS"], args=["mcp"], env=dict(os.environ))
    async with Client(server, mode=era) as client:
        tools = {tool.name for tool in (await client.list_tools()).tools}
        assert tools == {f"browser_{name}" for name in ("snapshot", "act", "eval", "recover", "screenshot")}, tools
        view = await client.call_tool("browser_snapshot", {"url": PAGE})
        assert not view.is_error, text(view)
        uid = re.search(r"button Moor @(\d+)", text(view)).group(1)
        handle = view.meta["recovery_handle"]
        assert handle.startswith(re.search(r"recover (ccr_\w+);", text(view)).group(1))
        acted = await client.call_tool("browser_act", {"action": "click", "uid": f"@{uid}"})
        assert text(acted).startswith("changed") and "Moored" in text(acted), text(acted)
        assert text(await client.call_tool("browser_eval", {"expression": "document.title"})) == '"Pier"'
        original = await client.call_tool("browser_recover", {"recovery_handle": handle})
        assert text(original).startswith('{"nodes":[{"nodeId":'), text(original)[:60]
        picture = (await client.call_tool("browser_screenshot", {})).content[0]
        assert picture.mime_type == "image/png" and picture.data.startswith("iVBOR"), picture.mime_type
        failed = await client.call_tool("browser_act", {"action": "click", "uid": "999999"})
        assert failed.is_error and text(failed).startswith("cave_unknown_uid: "), text(failed)
        print(f"python {era}: {client.protocol_version}, {len(tools)} tools listed, all called")


asyncio.run(main(sys.argv[1]))
