import { type Cli, say } from '../cli.ts'

export const cursorOption = ['--cursor <cursor>', 'go on from the page before'] as const

export interface PageOptions {
  limit: string
  cursor?: string
}

/** Of the options, what the call takes. */
export function pageOf({ limit, cursor }: PageOptions): { limit: number; cursor?: string } {
  return { limit: Number(limit), ...(cursor !== undefined && { cursor }) }
}

/** How the list goes on, beside the page that is printed. */
export function sayMore(cli: Cli, { nextCursor }: { nextCursor?: string | undefined }): void {
  if (nextCursor === undefined || cli.settings.json) return
  say(cli, `There are more: go on with --cursor ${nextCursor}`)
}
