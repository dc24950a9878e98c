import type { FileChange } from '@svc/contracts/change-rationale'
import type { Delivery } from '@svc/contracts/delivery'
import type { Cli } from '../cli.ts'
import { oneLine, paint } from './terminal.ts'

export async function describeArtifacts(cli: Cli, { artifacts }: Delivery): Promise<string> {
  if (artifacts.length === 0) return ''
  const { table } = await import('./table.ts')
  const rows = artifacts.map(({ id, type, label }) => [id, type, label])
  return table(['ARTIFACT', 'TYPE', 'LABEL'], rows, cli.stdout)
}

/** Each file with the reasons that the agent gave. */
export function describeChanges({ stdout }: Cli, changes: readonly FileChange[]): string {
  return changes.map((change) => describeChange(change, stdout)).join('\n')
}

function describeChange(change: FileChange, stdout: NodeJS.WritableStream): string {
  const { filePath, vcsStatus, additions, deletions, rationale } = change
  const size = additions === null ? [] : [`+${additions}`, `-${deletions ?? 0}`]
  const what = [vcsStatus ?? 'explained', ...size].join(' ')
  const head = `${oneLine(filePath)}  ${paint('dim', what, stdout)}`
  if (!rationale) return head
  const { label, summary, why, impact } = rationale
  const lines = [`${label}: ${summary}`, `why: ${why}`, `impact: ${impact}`]
  return [head, ...lines.map((line) => `  ${oneLine(line)}`)].join('\n')
}
