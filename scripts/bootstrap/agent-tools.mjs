import { platform } from './platform.mjs'

/**
 * The agents that `npm run agents` tries, in the versions that the recordings in tests/agents are of. Where a package links
 * the program of this machine by a script when it is installed, which we do not run, that program is named.
 */
export const agentTools = [
  {
    name: '@anthropic-ai/claude-code',
    version: '2.1.331',
    file: `../claude-code-${platform()}/claude`,
    lock: 'claude-code.json',
  },
  { name: '@openai/codex', version: '0.169.0', file: 'bin/codex.js', lock: 'codex.json' },
]
