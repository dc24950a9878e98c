import { commandOf } from '@svc/contracts/next-step'
import { isUuid } from '@svc/contracts/ids'
import { appPages, appPath } from '@svc/contracts/links'
import type { HttpApp } from '@svc/http/create-app'
import { html } from 'hono/html'
import { renderPage } from './page.ts'

/** Where a notice of failing deliveries leads. It reads nothing, and says by what the log is read. Decision 53. */
export function bindWebhook(app: HttpApp): void {
  app.get(appPath(':workspace', appPages.webhook(':id')), (context, next) => {
    const id = context.req.param('id') ?? ''
    if (!isUuid(id)) return next()
    const deliveries = commandOf({ operation: 'listWebhookDeliveries', params: { id } })
    const enable = commandOf({ operation: 'enableWebhook', params: { id } })
    return renderPage({
      title: 'Webhook deliveries',
      body: html`<p>See what was sent to this webhook, and what was answered:</p>
        <p><code>${deliveries}</code></p>
        <p>Where it was disabled, let it take deliveries again once its endpoint answers:</p>
        <p><code>${enable}</code></p>`,
    })
  })
}
