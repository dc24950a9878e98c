import { chat } from '../model/chat.ts'
import { invalidKey } from './openai-refusals.ts'
import { type Tool, dummyKey, writeSettings } from './tool.ts'

const settings = {
  security: { auth: { selectedType: 'openai' }, folderTrust: { enabled: false } },
  general: { enableAutoUpdate: false },
  privacy: { usageStatisticsEnabled: false },
}

export const qwen: Tool = {
  key: 'qwen',
  binary: 'qwen',
  title: 'Qwen Code',
  package: '@qwen-code/qwen-code',
  installs: '@qwen-code/qwen-code',
  dialect: chat,
  hands: {
    run: (command) => ({
      name: 'run_shell_command',
      input: { command, description: 'Do the next step', is_background: false },
    }),
    write: (path, content) => ({ name: 'write_file', input: { file_path: path, content } }),
  },
  settle(home, modelUrl) {
    writeSettings(home, '.qwen/settings.json', JSON.stringify(settings))
    return {
      OPENAI_API_KEY: dummyKey,
      OPENAI_BASE_URL: `${modelUrl}/v1`,
      OPENAI_MODEL: 'qwen3-coder-plus',
    }
  },
  // seen with 0.24.4: an answer with 429 it tries again for many minutes, and says nothing of it
  quotaWall: undefined,
  signedOut: invalidKey,
  help: [['--help']],
}
