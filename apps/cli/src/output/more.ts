import { type Cli, say } from '../cli.ts'

/** How the list goes on, beside the page that is printed. */
export function sayMore(cli: Cli, { nextCursor }: { nextCursor?: string | undefined }): void {
  if (nextCursor === undefined || cli.settings.json) return
  say(cli, `There are more: go on with --cursor ${nextCursor}`)
}
