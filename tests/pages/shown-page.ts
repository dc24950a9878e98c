import type { Page } from 'playwright-core'
import type { PageScene } from './scene.ts'

/** A page that people see: it is judged, and its picture is taken, by being here. */
export interface ShownPage {
  /** The name of its screenshots. */
  name: string
  /** The path of its address; `:workspace` is that of the person. */
  at: string
  /** What it is for. */
  about: string
  isSignedIn: boolean
  /** It is judged as all are, and looks like others that have pictures. */
  hasNoPicture?: true
  /** Leads there. */
  open: (page: Page, scene: PageScene) => Promise<unknown>
}
