export const bytes = Buffer.from([0, 255, 10, 13])
export const file = { name: 'Größe 1.png', mediaType: 'image/png', bytes }
