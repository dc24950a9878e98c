import { chat } from '../model/chat.ts'
import { invalidKey, usedUp } from './openai-refusals.ts'
import { type Tool, dummyKey, writeSettings } from './tool.ts'

const settings = (modelUrl: string) => ({
  autoupdate: false,
  share: 'disabled',
  model: 'loopback/model',
  small_model: 'loopback/model',
  enabled_providers: ['loopback'],
  provider: {
    loopback: {
      npm: '@ai-sdk/openai-compatible',
      name: 'Loopback',
      options: { baseURL: `${modelUrl}/v1`, apiKey: dummyKey },
      models: {
        model: {
          name: 'Model',
          tool_call: true,
          limit: { context: 200_000, output: 8_000 },
          // dollars for a million tokens
          cost: { input: 5, output: 25 },
        },
      },
    },
  },
})

export const opencode: Tool = {
  key: 'opencode',
  binary: 'opencode',
  title: 'OpenCode',
  package: 'opencode-ai',
  installs: 'opencode-',
  dialect: chat,
  hands: {
    run: (command) => ({ name: 'bash', input: { command, description: 'Do the next step' } }),
    write: (path, content) => ({ name: 'write', input: { filePath: path, content } }),
  },
  settle(home, modelUrl) {
    writeSettings(home, '.config/opencode/opencode.json', JSON.stringify(settings(modelUrl)))
    return { OPENCODE_DISABLE_MODELS_FETCH: '1', OPENCODE_DISABLE_AUTOUPDATE: '1' }
  },
  quotaWall: usedUp,
  signedOut: invalidKey,
  help: [['acp', '--help']],
}
