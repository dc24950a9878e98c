import { shellWord } from '@svc/contracts/shell-words'
import type { DataFolder } from '../data-folder.ts'
import { svc } from '../next-steps.ts'
import { say } from '../speech.ts'
import type { Parts } from './open-parts.ts'

interface Shown {
  parts: Parts
  data: DataFolder
  /** Where the logs are. */
  folder: string
  setUpUrl: string | undefined
  edge: string
}

const step = (what: string, command: string) => say(`  ${what}\n    ${command}`)

export function sayParts({ parts, data, folder, setUpUrl, edge }: Shown): void {
  const { baseUrl, all } = parts
  say(`svc runs in parts on ${baseUrl}; everything lies in ${data.path}`)
  say(`  edge (${edge})`, 'dim')
  for (const { name, port } of all) say(`  ${name} on port ${port}`, 'dim')
  say(`  what they log is in ${folder}`, 'dim')
  say('\nWhat to do next, each as it stands in this folder:', 'bold')
  if (setUpUrl === undefined) step('open the web app', baseUrl)
  else step('open the web app: this link sets your password, once, until the next start', setUpUrl)
  const here = `SVC_DATA_DIR=${shellWord(data.path)} ${svc}`
  step('ask from the command line', `${here} projects list`)
  step('have this machine take launches', `${here} runner start`)
  say('Ctrl-C stops everything; the next npm run parts finds all of it again.')
}
