import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

const roots = '{packages,apps}/*/src/**'
const cwd = join(import.meta.dirname, '..')

/** These run next to nothing else once all others are done: hundreds of calls race with what the feed tells of them. */
const needQuiet = ['tests/web/faults-*.large.db.test.ts']

/** This one runs alone after them: the kernel takes minutes for a disk without room while other processes write. */
const needsDisk = ['tests/e2e/standalone-disk.large.e2e.test.ts']

/** Whether it is the mode of `npm run test:large`. */
export function takesLarger(mode: string): boolean {
  return mode === 'large'
}

/** The tag of a test that `npm test` leaves to `npm run test:large`. */
export const larger = { name: 'large', description: 'a larger dose, which `npm test` leaves out' }

/**
 * The test files of each kind. `npm run test:large` takes those with `.large.` in their name, which `npm test` leaves out,
 * and those in which a test has the tag: of these the one leaves the tagged tests out, and the other none.
 */
export function filesOf(mode: string) {
  const files = takesLarger(mode) ? largeFiles : smallFiles
  const ending = (places: readonly string[], end: string, not: readonly string[] = []) =>
    files(
      places.map((place) => `${place}/*${end}`),
      not,
    )
  return {
    unit: ending([roots, 'tests{,/docs,/web}'], '.test.ts', [
      '**/*.db.test.ts',
      '**/*.e2e.test.ts',
    ]),
    db: ending([roots, 'tests/**'], '.db.test.ts', needQuiet),
    e2e: ending(['tests/e2e/**'], '.e2e.test.ts', needsDisk),
    quiet: files(needQuiet),
    alone: files(needsDisk),
  }
}

const never = '**/node_modules/**'

function smallFiles(include: readonly string[], not: readonly string[] = []) {
  return { include: [...include], exclude: [never, '**/*.large.*', ...not] }
}

function largeFiles(include: readonly string[], not: readonly string[] = []) {
  const exclude = [never, ...not]
  const found = globSync(include, { cwd, exclude })
  return { include: found.filter(hasLarger), exclude }
}

/** Whether `npm run test:large` takes this file, named from the root. */
export function hasLarger(path: string): boolean {
  const isWhole = path.includes('.large.')
  return isWhole || readFileSync(join(cwd, path), 'utf8').includes(`tags: '${larger.name}'`)
}
