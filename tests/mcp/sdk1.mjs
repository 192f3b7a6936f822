// The official TypeScript SDK, version 1, as most clients still have it.
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { journey } from './journey.mjs';

const client = new Client({ name: 'axpress-test', version: '1.0.0' });
await client.connect(new StdioClientTransport({ command: process.env.AXPRESS, args: ['mcp'], env: process.env }));
await journey(() => client.listTools(), (name, args) => client.callTool({ name, arguments: args }));
console.log('typescript, version 1: 5 tools listed, all called');
await client.close();
