import type { WireFormat } from '../wireFormat.ts';
import { chat } from './chat.ts';
import { google } from './google.ts';
import { messages } from './messages.ts';
import { responses } from './responses.ts';

const FORMATS: readonly WireFormat[] = [chat, responses, messages, google];

export function formatFor(path: string): WireFormat | undefined {
  return FORMATS.find((format) => format.accepts(path));
}
