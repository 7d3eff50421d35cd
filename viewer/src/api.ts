/** Asks the program. The token comes from the address that the program printed. */
export class Api {
  constructor(readonly token: string) {}

  private async ask(path: string, query: Record<string, string | number>): Promise<Response> {
    const parameters = new URLSearchParams({ token: this.token });
    for (const [name, value] of Object.entries(query)) parameters.set(name, String(value));
    let response: Response;
    try {
      response = await fetch(`api/${path}?${parameters}`);
    } catch {
      throw new Error('The program does not answer: it has ended, or its port is another one now.');
    }
    if (!response.ok) throw new Error(await response.text());
    return response;
  }

  async json<T>(path: string, query: Record<string, string | number> = {}): Promise<T> {
    return (await this.ask(path, query)).json() as Promise<T>;
  }
  async bytes(path: string, query: Record<string, string | number> = {}): Promise<ArrayBuffer> {
    return (await this.ask(path, query)).arrayBuffer();
  }

  socket(): WebSocket {
    const socket = new WebSocket(`ws://${location.host}/api/live?token=${this.token}`);
    socket.binaryType = 'arraybuffer';
    return socket;
  }
}
