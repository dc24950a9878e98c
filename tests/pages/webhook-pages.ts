import { webhooksToLookAt } from '../web/webhook-scene.ts'
import type { ShownWebhooks } from '../web/webhook-scene.ts'
import { goTo } from './go-to.ts'
import type { PageScene } from './scene.ts'
import type { ShownPage } from './shown-page.ts'

type Page = Parameters<ShownPage['open']>[0]

const at = {
  list: '/w/:workspace/webhooks',
  one: '/w/:workspace/webhooks/:webhook',
  delivery: '/w/:workspace/webhooks/:webhook/:delivery',
} as const

/** The webhooks of a workspace, one of them with its log, and what can be open over them. */
export const webhookPages: readonly ShownPage[] = [
  {
    name: 'webhooks',
    at: at.list,
    about: 'Where events are posted to, and how each of them stands.',
    isSignedIn: true,
    open: openList,
  },
  {
    name: 'webhook-new',
    at: at.list,
    about: 'The events of the service to choose from, and any of an extension by its name.',
    isSignedIn: true,
    async open(page, scene) {
      await openList(page, scene)
      await page.getByRole('button', { name: 'New webhook' }).click()
      const dialog = page.getByRole('dialog', { name: 'New webhook' })
      await dialog.getByLabel('Name').fill('Orders')
      await dialog.getByLabel('Address').fill('http://192.168.0.7/svc')
      await dialog.getByLabel('Another event').fill('acme:shipped')
      await dialog.getByRole('button', { name: 'Add', exact: true }).click()
      await dialog.getByText('The URL must start with https://').first().waitFor()
    },
  },
  ofOne('webhook', 'One webhook: what it is sent, how it stands, and its log.', () =>
    Promise.resolve(),
  ),
  {
    name: 'webhook-disabled',
    at: at.one,
    about: 'What is sent nothing says why, what is held, and who ends that.',
    isSignedIn: true,
    hasNoPicture: true,
    async open(page, scene) {
      const { disabled } = await webhooksToLookAt(scene.world)
      await goTo(page, scene, `/webhooks/${disabled}`)
      await page.getByText('are held').waitFor()
    },
  },
  ofOneDialog('webhook-edit', 'Edit', 'Edit the webhook'),
  ofOneDialog('webhook-secret', 'Replace the secret', 'Replace the secret'),
  ofOneDialog('webhook-disable', 'Disable', 'Disable the webhook'),
  ofOneDialog('webhook-delete', 'Delete', 'Delete the webhook'),
  {
    name: 'webhook-secret-once',
    at: at.one,
    about: 'A secret is shown this once, and stays until somebody says that they have it.',
    isSignedIn: true,
    hasNoPicture: true,
    async open(page, scene) {
      await openOne(page, scene)
      await page.getByRole('button', { name: 'Replace the secret' }).click()
      await page.getByRole('button', { name: 'Replace it' }).click()
      await page.getByRole('dialog', { name: 'Its secret, shown this once' }).waitFor()
    },
  },
  {
    name: 'webhook-delivery',
    at: at.delivery,
    about: 'What was posted, and what its receiver answered each time.',
    isSignedIn: true,
    async open(page, scene) {
      const { webhook, delivery } = await webhooksToLookAt(scene.world)
      await goTo(page, scene, `/webhooks/${webhook}/${delivery}`)
      await page.getByRole('list', { name: 'Tries' }).waitFor()
      await page.getByText('Its body').click()
      await page.getByText('"apiVersion"').waitFor()
    },
  },
]

async function openList(page: Page, scene: PageScene): Promise<void> {
  await webhooksToLookAt(scene.world)
  await goTo(page, scene, '/webhooks')
  await page.getByRole('list', { name: 'Webhooks' }).waitFor()
}

async function openOne(page: Page, scene: PageScene): Promise<ShownWebhooks> {
  const shown = await webhooksToLookAt(scene.world)
  await goTo(page, scene, `/webhooks/${shown.webhook}`)
  await page.getByRole('list', { name: 'Deliveries' }).waitFor()
  return shown
}

function ofOne(name: string, about: string, then: (page: Page) => Promise<unknown>): ShownPage {
  return {
    name,
    at: at.one,
    about,
    isSignedIn: true,
    async open(page, scene) {
      await openOne(page, scene)
      await then(page)
    },
  }
}

/** A dialog that has no picture of its own. */
function ofOneDialog(name: string, button: string, title: string): ShownPage {
  const row = ofOne(name, title, async (page) => {
    await page.getByRole('button', { name: button, exact: true }).click()
    await page.getByRole('dialog', { name: title }).waitFor()
  })
  return { ...row, hasNoPicture: true }
}
