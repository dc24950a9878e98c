import { limits } from '@svc/contracts/limits'
import { shellWord } from '@svc/contracts/shell-words'
import { type Cli, say } from '../cli.ts'

/** What a list of the service holds where nobody says how much. */
export const pageSize = String(limits.pageItems)
export const limitOption = ['--limit <number>', 'how many at most', pageSize] as const
export const cursorOption = ['--cursor <cursor>', 'go on from the page before'] as const

export interface PageOptions {
  limit: string
  cursor?: string
}

/** Those of the options that the call takes. */
export function pageOf({ limit, cursor }: PageOptions): { limit: number; cursor?: string } {
  return { limit: Number(limit), ...(cursor !== undefined && { cursor }) }
}

/** Says on standard error how the list goes on after the page that is printed. */
export function sayMore(cli: Cli, { nextCursor }: { nextCursor?: string | undefined }): void {
  const { json, line = [] } = cli.settings
  if (nextCursor === undefined || json) return
  const words = [...withoutCursor(line), '--cursor', nextCursor]
  say(cli, `There are more: svc ${words.map(shellWord).join(' ')}`)
}

function withoutCursor(line: readonly string[]): string[] {
  return line.filter(
    (word, index) =>
      word !== '--cursor' && line[index - 1] !== '--cursor' && !word.startsWith('--cursor='),
  )
}
