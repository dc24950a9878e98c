import { limits } from '@svc/contracts/limits'
import type { RunDiff } from '@svc/contracts/runner'
import type { WorkPlace } from '../run/places.ts'
import { cutPatch, readRunDiff } from './diff.ts'
import type { GitOptions } from './git.ts'

interface DiffOfPlaces extends Omit<RunDiff, 'headSha'> {
  /** Undefined where the run's own place cannot be read. */
  headSha: string | undefined
  complete: boolean
}

/**
 * What a run changed in all that it works in: files of other resources as `<key>:<path>`, behind those of its own.
 * Undefined where it works nowhere with Git. A place that cannot be read keeps nobody from the others; of none that can be,
 * the first error is thrown.
 */
export async function readDiffOf(
  places: readonly WorkPlace[],
  mask: (text: string) => string,
  options: GitOptions = {},
): Promise<DiffOfPlaces | undefined> {
  const diffs: DiffOfPlaces[] = []
  const errors: unknown[] = []
  for (const place of places) {
    const { workingDirectory, baseSha, branch, resourceKey, isOwn } = place
    const what = { baseSha, branch, prefix: isOwn ? '' : `${resourceKey}:` }
    try {
      diffs.push(await readRunDiff(workingDirectory, what, mask, options))
    } catch (error) {
      errors.push(error)
      diffs.push(lost(place))
    }
  }
  if (errors.length > 0 && errors.length === places.length) throw errors[0]
  const [first, ...rest] = diffs
  return first && rest.reduce(joined, first)
}

/** Of a place that cannot be read. */
function lost({ baseSha }: WorkPlace): DiffOfPlaces {
  return { baseSha, headSha: undefined, stat: [], truncated: true, dirty: false, complete: false }
}

function joined(one: DiffOfPlaces, other: DiffOfPlaces): DiffOfPlaces {
  const stat = [...one.stat, ...other.stat]
  const { patch, truncated } = cutPatch((one.patch ?? '') + (other.patch ?? ''))
  const isCut = one.truncated || other.truncated || truncated || stat.length > limits.diffFiles
  return {
    ...one,
    stat: stat.slice(0, limits.diffFiles),
    ...(patch !== '' && { patch }),
    truncated: isCut,
    complete: one.complete && other.complete && stat.length <= limits.diffFiles,
    dirty: one.dirty || other.dirty,
  }
}
