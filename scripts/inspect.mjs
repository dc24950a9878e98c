// The MCP Inspector's command line against this service: `npm run -s inspect -- --method tools/list`. The address and
// the token come from SVC_BACKEND_URL and SVC_USER_TOKEN, else from the standalone app's own file, so that no token
// has to stand on a command line of yours.
import { spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = dirname(dirname(fileURLToPath(import.meta.url)))

function credentials() {
  const { SVC_BACKEND_URL: baseUrl, SVC_USER_TOKEN: token, SVC_DATA_DIR: data } = process.env
  if (baseUrl && token) return { baseUrl: baseUrl.replace(/\/+$/, ''), token }
  const file = join(resolve(root, data || '.svc/data'), 'owner.json')
  try {
    return JSON.parse(readFileSync(file, 'utf8'))
  } catch {
    return undefined
  }
}

function inspect(inspector, args) {
  const known = credentials()
  if (known === undefined) {
    process.stderr.write(
      'svc: No service is known: run SVC_MCP_ENABLED=true npm start, or set SVC_BACKEND_URL and SVC_USER_TOKEN.\n',
    )
    process.exitCode = 1
    return
  }
  const target = [`${known.baseUrl}/mcp`, '--transport', 'http']
  const header = ['--header', `Authorization: Bearer ${known.token}`]
  const given = args.length > 0 ? args : ['--method', 'tools/list']
  const child = spawn(process.execPath, [inspector, '--cli', ...target, ...header, ...given], {
    stdio: 'inherit',
  })
  child.on('exit', (code) => (process.exitCode = code ?? 1))
}

const [inspector, ...args] = process.argv.slice(2)
inspect(inspector, args)
