import { platform } from './platform.mjs'

const tool = (name, version, file) => ({
  name,
  version,
  file,
  lock: `${name.replace(/^.*\//, '')}.json`,
})

/**
 * By platform the hash of its package, of which the others are parts that come with it or not. Those without one are
 * fetched by their version alone.
 */
const opencode = {
  'linux-x64':
    'sha512-q/t/3p2CTxOT9y2kvjesb/LZab2+1eqlhhWA02Be6mjTtmYtNBcBsrI5yDo4Fw7ZSPBW2oyMIGMNRqiKQjiAWw==',
}

/**
 * The agents that `npm run agents` tries, in the versions that the recordings in tests/agents are of. Where a package links
 * the program of this machine by a script when it is installed, which we do not run, that program is named.
 */
export const agentTools = [
  tool('@anthropic-ai/claude-code', '2.1.331', `../claude-code-${platform()}/claude`),
  tool('@openai/codex', '0.169.0', 'bin/codex.js'),
  tool('@google/gemini-cli', '0.61.0', 'bundle/gemini.js'),
  {
    name: `opencode-${platform()}`,
    version: '1.18.33',
    file: 'bin/opencode',
    integrity: opencode[platform()],
  },
  tool('@github/copilot', '1.0.102', 'npm-loader.js'),
  tool('@qwen-code/qwen-code', '0.24.4', 'cli-entry.js'),
]
