import type { Home } from '../files/home.ts'
import { type LinkedCheckout, readLinks } from '../files/resources.ts'
import type { RunLog } from '../run/run-log.ts'
import { warnOnce } from './repeat.ts'

/** The linked checkouts of now; while their file cannot be read as such, those that it held last. */
export function openLinks(home: Home, log: RunLog): () => LinkedCheckout[] {
  const text = `${home.resourcesFile} cannot be read: correct it; until then links are those of before`
  const warn = warnOnce(log, text)
  let links: LinkedCheckout[] = []
  return () => {
    try {
      links = readLinks(home)
    } catch (error) {
      warn(error)
    }
    return links
  }
}
