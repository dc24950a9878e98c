import { echoed } from '@svc/contracts/echoed'
import type { HttpApp } from '@svc/http/create-app'
import { html } from 'hono/html'
import { renderPage } from './page.ts'
import { pagePaths } from './paths.ts'

/** What lies below these is for programs, which read the shape of our errors. */
const forPrograms = /^\/(api|mcp|oauth|\.well-known)(\/|$)/

/** Where a browser asks for what nobody serves; bound behind everything else. */
export function bindNothingHere(app: HttpApp): void {
  app.get('*', (context, next) => {
    const { path } = context.req
    const isBrowser = /\btext\/html\b/.test(context.req.header('accept') ?? '')
    if (!isBrowser || forPrograms.test(path)) return next()
    return renderPage({
      title: 'There is nothing here',
      status: 404,
      body: html`<p>No page of this service has the address ${echoed(path)}.</p>
        <p>
          <a href="${pagePaths.front}">Your workspace</a>, or
          <a href="${pagePaths.account}">your account</a>; whoever is not signed in
          <a href="${pagePaths.signIn}">signs in</a> first.
        </p>`,
    })
  })
}
