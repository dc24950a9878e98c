import { browserOfFile, windowsOfTest } from '@svc/testing/browser'
import type { Page } from 'playwright-core'
import { test as base } from './place.ts'

export const test = base
  .extend('browser', { scope: 'file' }, browserOfFile)
  .extend('windows', windowsOfTest)
  .extend('page', ({ windows }) =>
    windows((browser) => browser.newContext({ ignoreHTTPSErrors: true })),
  )

export const allow = (page: Page) => page.getByRole('button', { name: 'Allow' })
