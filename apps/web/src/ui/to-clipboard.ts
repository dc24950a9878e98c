import { announce } from './announce.ts'
import { toast } from './toast-store.ts'

/** Says so where the browser does not let a page copy; one that comes by plain HTTP has no clipboard at all. */
export async function toClipboard(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text)
    announce('Copied')
    return true
  } catch {
    toast('This browser does not let a page copy. Select the text, and copy it.')
    return false
  }
}
