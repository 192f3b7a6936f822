// The official TypeScript SDK, version 2, as a client, in the era that is named.
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { journey } from './journey.mjs';

const era = process.argv[2];
const mode = era.startsWith('20') ? { pin: era } : era;
const client = new Client({ name: 'axpress-test', version: '1.0.0' }, { versionNegotiation: { mode } });
await client.connect(new StdioClientTransport({ command: process.env.AXPRESS, args: ['mcp'], env: process.env }));
await journey(() => client.listTools(), (name, args) => client.callTool({ name, arguments: args }));
console.log(`typescript ${era}: ${client.getNegotiatedProtocolVersion?.() ?? ''}, 5 tools listed, all called`);
await client.close();
