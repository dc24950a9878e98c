import type { World } from '@svc/domain/testing/open-world'
import { runnerWith } from '@svc/domain/testing/runner'
import { printingRun } from './run-scene.ts'

const mebibyte = 1024 * 1024
/** What a log holds at first, in MiB: with four more it is as large as one may be. */
export const pieces = 96
export const linesOfPiece = mebibyte / 128

/** A line for each number, of 128 bytes; one in a MiB has the word that is looked for. */
function line(index: number): string {
  const word = index % 8_192 === 4_000 ? 'the needle is here' : 'nothing to be found in this line'
  return `${String(index).padStart(9, '0')} ${word}`.padEnd(127, '.') + '\n'
}

const pieceOf = (index: number) =>
  Array.from({ length: linesOfPiece }, (_, at) => line(index * linesOfPiece + at)).join('')

/** A run whose log is as long as logs are kept. */
export async function bigLog(world: World) {
  const { id, asking, runner } = await printingRun(world, pieceOf(0))
  const large = runnerWith({ ...world.domain, logBytes: 100 * mebibyte }, runner.token, {
    projectIds: 'all',
  })
  const print = (index: number) => large.log(asking.lease, index * mebibyte, pieceOf(index))
  for (let index = 1; index < pieces; index += 1) await print(index)
  return { id, lines: pieces * linesOfPiece, print }
}
