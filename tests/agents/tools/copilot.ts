import { chat } from '../model/chat.ts'
import { invalidKey, usedUp } from './openai-refusals.ts'
import { type Tool, dummyKey } from './tool.ts'

export const copilot: Tool = {
  key: 'copilot',
  binary: 'copilot',
  title: 'GitHub Copilot CLI',
  package: '@github/copilot',
  installs: '@github/copilot',
  dialect: chat,
  hands: {
    run: (command) => ({
      name: 'bash',
      input: { command, description: 'Do the next step', mode: 'sync' },
    }),
    write: (path, content) => ({ name: 'create', input: { path, file_text: content } }),
  },
  settle: (_home, modelUrl) => ({
    COPILOT_PROVIDER_BASE_URL: `${modelUrl}/v1`,
    COPILOT_PROVIDER_TYPE: 'openai',
    COPILOT_PROVIDER_API_KEY: dummyKey,
    COPILOT_MODEL: 'gpt-5.2',
    COPILOT_OFFLINE: 'true',
    COPILOT_AUTO_UPDATE: 'false',
  }),
  quotaWall: usedUp,
  signedOut: invalidKey,
  help: [['--help']],
}
