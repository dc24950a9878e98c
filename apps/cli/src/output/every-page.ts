import { limits } from '@svc/contracts/limits'

const limit = limits.pageItemsMax

/** The pages of a list, each read when it is asked for. */
export async function* everyPage<P extends { nextCursor?: string | undefined }>(
  read: (page: { limit: number; cursor?: string }) => Promise<P>,
): AsyncGenerator<P> {
  let page = await read({ limit })
  yield page
  while (page.nextCursor !== undefined) {
    page = await read({ limit, cursor: page.nextCursor })
    yield page
  }
}
