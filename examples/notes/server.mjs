// A small MCP server that remembers: notes in memory, gone when the process ends.
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import { z } from 'zod';

const notes = new Map([
  ['welcome', { title: 'Welcome', text: 'Notes live as long as the server does.' }],
  ['ideas', { title: 'Ideas', text: 'Plant tomatoes in May.' }],
]);
let lastNumber = 0;

const id = z.string().min(1).describe('Id of the note');

const server = new McpServer({ name: 'notes', version: '1.0.0' });

server.registerTool(
  'create_note',
  {
    description: 'Creates a note and answers with its id.',
    inputSchema: {
      title: z.string().min(1),
      text: z.string().default(''),
      id: id.optional().describe('Id of the new note; made up when left out'),
    },
    annotations: { readOnlyHint: false, destructiveHint: false },
  },
  ({ title, text: body, id = nextId() }) => {
    if (notes.has(id)) return refusal(`There is a note "${id}" already.`);
    notes.set(id, { title, text: body });
    return text(`Created note ${id}`);
  },
);

server.registerTool(
  'list_notes',
  { description: 'Lists ids and titles of all notes.', annotations: { readOnlyHint: true } },
  () => text([...notes].map(([id, note]) => `${id}: ${note.title}`).join('\n')),
);

server.registerTool(
  'read_note',
  { description: 'Reads one note.', inputSchema: { id }, annotations: { readOnlyHint: true } },
  ({ id }) => {
    const note = notes.get(id);
    return note === undefined ? unknownNote(id) : text(`${note.title}\n\n${note.text}`);
  },
);

server.registerTool(
  'update_note',
  {
    description: 'Replaces title, text or both of a note.',
    inputSchema: { id, title: z.string().min(1).optional(), text: z.string().optional() },
    annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: true },
  },
  ({ id, title, text: body }) => {
    const note = notes.get(id);
    if (note === undefined) return unknownNote(id);
    notes.set(id, { title: title ?? note.title, text: body ?? note.text });
    return text(`Updated note ${id}`);
  },
);

server.registerTool(
  'delete_note',
  {
    description: 'Deletes a note for good.',
    inputSchema: { id },
    annotations: { readOnlyHint: false, destructiveHint: true },
  },
  ({ id }) => (notes.delete(id) ? text(`Deleted note ${id}`) : unknownNote(id)),
);

function nextId() {
  lastNumber += 1;
  return `note-${lastNumber}`;
}

function text(text) {
  return { content: [{ type: 'text', text }] };
}

function refusal(reason) {
  return { ...text(reason), isError: true };
}

function unknownNote(id) {
  return refusal(`There is no note "${id}".`);
}

await server.connect(new StdioServerTransport());
