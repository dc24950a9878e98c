import type { ServerResponse } from 'node:http'
import type { Composer } from '@svc/domain/deliveries/composer'
import { openComposer } from '@svc/service/composer'
import { type Post, servePosts } from '@svc/testing/receiver'

type Answer = (response: ServerResponse) => void

export interface ComposerServer extends AsyncDisposable {
  url: string
  /** In the order of arrival. */
  asked: Post[]
  answer(next: Answer): void
  composer(timeoutMs?: number): Composer
}

/** A server on loopback that speaks the API of chat completions; what it says is up to the test. */
export async function openComposerServer(): Promise<ComposerServer> {
  const asked: Post[] = []
  let answer = says('# Composed')
  const server = await servePosts((post, response) => {
    asked.push(post)
    answer(response)
  })
  const url = `http://127.0.0.1:${server.port}/v1`
  return {
    url,
    asked,
    answer(next) {
      answer = next
    },
    composer(timeoutMs) {
      const environment = {
        SVC_COMPOSER_URL: url,
        SVC_COMPOSER_MODEL: 'small',
        SVC_COMPOSER_KEY: 'key-of-the-composer',
      }
      const composer = openComposer(environment, timeoutMs)
      if (!composer) throw new Error('no composer is configured')
      return composer
    },
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  }
}

/** As the API answers with this text. */
export function says(content: unknown, finish_reason = 'stop'): Answer {
  const message = { role: 'assistant', content }
  const choices = [{ index: 0, message, finish_reason }]
  return sends(JSON.stringify({ object: 'chat.completion', choices }))
}

export function sends(body: string, status = 200, headers: Record<string, string> = {}): Answer {
  return (response) =>
    void response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(body)
}

/** Holds the answer back; whoever waits for `asked` gets what gives it. */
export function holds(): { answer: Answer; asked: Promise<(then: Answer) => void> } {
  const { promise: asked, resolve } = Promise.withResolvers<(then: Answer) => void>()
  return { answer: (response) => resolve((then) => then(response)), asked }
}
