import { join } from 'node:path'
import { writeDurably } from '../files/durable-file.ts'
import type { Home } from '../files/home.ts'

/** `<home>/bin/svc` starts the Node that runs the daemon with this version's command, whatever the PATH says. */
export function writeCommand(home: Home, cliEntry: string): void {
  const words = [process.execPath, cliEntry].map((word) => `'${word.replaceAll("'", `'\\''`)}'`)
  writeDurably(join(home.bin, 'svc'), `#!/bin/sh\nexec ${words.join(' ')} "$@"\n`, 0o755)
}
