/** The ways in which other tools write down their servers: where each keeps what, and what each allows. */

/** Which `${…}` a text may hold; see variables.ts. */
export type VariableSyntax = 'shell' | 'vscode' | 'cursor' | 'windsurf' | 'suite' | 'none';

export interface Dialect {
  /** As its file is called in messages. */
  name: string;
  /** The keys that lead to the map of servers. */
  servers: readonly string[];
  /** The keys that lead to the list of inputs; null where there are none. */
  inputs: readonly string[] | null;
  /** The key under which other tools have their servers, and somebody may have written them here. */
  mistakenKey: string | null;
  /** The file is about other things as well: what is wrong there is none of our business. */
  isShared: boolean;
  /** The tools that share the file read plain JSON: no comments, no trailing commas. */
  isPlainJson: boolean;
  /** The map of servers may be the whole file. */
  mayBeBare: boolean;
  /** The key of a URL. */
  urlKey: string;
  hasEnvFile: boolean;
  variables: VariableSyntax;
}

const CLAUDE: Dialect = {
  name: '.mcp.json',
  servers: ['mcpServers'],
  inputs: null,
  mistakenKey: 'servers',
  isShared: false,
  isPlainJson: true,
  mayBeBare: true,
  urlKey: 'url',
  hasEnvFile: false,
  variables: 'shell',
};

const VSCODE: Dialect = {
  name: '.vscode/mcp.json',
  servers: ['servers'],
  inputs: ['inputs'],
  mistakenKey: 'mcpServers',
  isShared: false,
  isPlainJson: false,
  mayBeBare: false,
  urlKey: 'url',
  hasEnvFile: true,
  variables: 'vscode',
};

const CURSOR: Dialect = {
  ...CLAUDE,
  name: '.cursor/mcp.json',
  isPlainJson: false,
  mayBeBare: false,
  hasEnvFile: true,
  variables: 'cursor',
};

const SETTINGS = ['mcp'] as const;
const DEV_CONTAINER = ['customizations', 'vscode', 'mcp'] as const;

export const DIALECTS = {
  claude: CLAUDE,
  vscode: VSCODE,
  cursor: CURSOR,
  settings: {
    ...VSCODE,
    name: '.vscode/settings.json',
    servers: [...SETTINGS, 'servers'],
    inputs: [...SETTINGS, 'inputs'],
    isShared: true,
  },
  devContainer: {
    ...VSCODE,
    name: '.devcontainer/devcontainer.json',
    servers: [...DEV_CONTAINER, 'servers'],
    inputs: [...DEV_CONTAINER, 'inputs'],
    isShared: true,
  },
  copilot: { ...CLAUDE, name: 'mcp-config.json of Copilot', isPlainJson: false, mayBeBare: false },
  claudeDesktop: {
    ...CLAUDE,
    name: 'claude_desktop_config.json',
    isShared: true,
    isPlainJson: false,
    mayBeBare: false,
    variables: 'none',
  },
  windsurf: {
    ...CLAUDE,
    name: 'mcp_config.json of Windsurf',
    isPlainJson: false,
    mayBeBare: false,
    urlKey: 'serverUrl',
    variables: 'windsurf',
  },
} as const satisfies Record<string, Dialect>;
