import { gemini as dialect } from '../model/gemini.ts'
import { type Tool, dummyKey, writeSettings } from './tool.ts'

const settings = {
  security: { auth: { selectedType: 'gemini-api-key' }, folderTrust: { enabled: false } },
  general: { enableAutoUpdate: false, enableAutoUpdateNotification: false },
  privacy: { usageStatisticsEnabled: false },
}

export const gemini: Tool = {
  key: 'gemini',
  binary: 'gemini',
  title: 'Gemini CLI',
  package: '@google/gemini-cli',
  installs: '@google/gemini-cli',
  dialect,
  hands: {
    run: (command) => ({
      name: 'run_shell_command',
      input: { command, description: 'Do the next step' },
    }),
    write: (path, content) => ({ name: 'write_file', input: { file_path: path, content } }),
  },
  settle(home, modelUrl) {
    writeSettings(home, '.gemini/settings.json', JSON.stringify(settings))
    return {
      GEMINI_API_KEY: dummyKey,
      GEMINI_MODEL: 'gemini-2.5-pro',
      GOOGLE_GEMINI_BASE_URL: modelUrl,
    }
  },
  quotaWall: {
    source:
      'https://ai.google.dev/gemini-api/docs/troubleshooting (429 RESOURCE_EXHAUSTED), https://cloud.google.com/apis/design/errors (QuotaFailure)',
    refuse: () => ({
      status: 429,
      body: {
        error: {
          code: 429,
          message: 'You exceeded your current quota, please check your plan and billing details.',
          status: 'RESOURCE_EXHAUSTED',
          details: [
            {
              '@type': 'type.googleapis.com/google.rpc.QuotaFailure',
              violations: [
                {
                  quotaMetric: 'generativelanguage.googleapis.com/generate_requests_per_day',
                  quotaId: 'GenerateRequestsPerDayPerProjectPerModel-FreeTier',
                },
              ],
            },
          ],
        },
      },
    }),
  },
  signedOut: {
    source: 'https://ai.google.dev/gemini-api/docs/troubleshooting (400 API_KEY_INVALID)',
    refuse: () => ({
      status: 400,
      body: {
        error: {
          code: 400,
          message: 'API key not valid. Please pass a valid API key.',
          status: 'INVALID_ARGUMENT',
          details: [
            {
              '@type': 'type.googleapis.com/google.rpc.ErrorInfo',
              reason: 'API_KEY_INVALID',
              domain: 'googleapis.com',
            },
          ],
        },
      },
    }),
  },
  // it names the file of a conversation by that minute, and begins it anew before it looks for it
  needsNextMinute: true,
  help: [['--help']],
}
