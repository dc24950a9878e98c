import { join } from 'node:path'
import { writeDurably } from '../files/durable-file.ts'
import type { Home } from '../files/home.ts'

/**
 * In megabytes, the room in which the modules of a command are read without being cleared up in between. An agent calls the
 * command often, and a seventh of a call went into that.
 */
const youngRoom = '--min-semi-space-size=32'

/** `<home>/bin/svc` starts the Node that runs the daemon with this version's command, whatever the PATH says. */
export function writeCommand(home: Home, cliEntry: string): void {
  const words = [process.execPath, youngRoom, cliEntry].map(
    (word) => `'${word.replaceAll("'", `'\\''`)}'`,
  )
  writeDurably(join(home.bin, 'svc'), `#!/bin/sh\nexec ${words.join(' ')} "$@"\n`, 0o755)
}
