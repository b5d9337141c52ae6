"""Writes a handshake state machine, faulty or not: `handshake.py faulty|correct > handshake.c`.

A server goes through the states of a handshake. Every state has a function of its own that sends or receives a message. Whoever has
received a client's hello must send the server's, or the handshake fails. In the faulty version, a hello that was not received is
asked for once more just before the handshake is given up: the second call may succeed, and its result is returned.
"""

import sys

MESSAGES = [
    ("client_hello", True), ("server_hello", False), ("server_certificate", False), ("server_key_exchange", False),
    ("certificate_request", False), ("server_done", False), ("client_certificate", True), ("client_key_exchange", True),
    ("certificate_verify", True), ("change_cipher_in", True), ("client_finished", True), ("session_ticket", False),
    ("certificate_status", False), ("change_cipher_out", False), ("server_finished", False), ("early_data", True),
    ("key_update", True), ("heartbeat", False), ("new_session", False), ("resumption_secret", False),
    ("encrypted_extensions", False), ("hello_retry", False), ("client_identity", True), ("psk_binder", True),
    ("channel_id", True), ("next_protocol", True), ("signed_timestamp", False), ("end_of_early_data", True),
    ("close_notify", False), ("acknowledgement", True),
]
FIELDS = 24


def message(number, name, receives):
    """The function of one message."""
    verb = "receive" if receives else "send"
    lines = [
        f"/* {verb.capitalize()}s the message `{name}`: 1 if that is done, 0 if it has to be tried again, -1 if it failed. */",
        f"static int {verb}_{name}(struct connection *s)",
        "{",
        "    int length;",
        "    int step;",
        "    int sum;",
        "    s->messages = s->messages + 1;",
        f"    s->last = {number};",
        "    length = available();",
        "    if (length < 0) {",
        f"        s->alert = {number + 40};",
        "        return -1;",
        "    }",
        "    if (length == 0) {",
        "        s->retries = s->retries + 1;",
        "        return 0;",
        "    }",
        "    step = 4;",
        "    sum = step;",
    ]
    for field in range(FIELDS):
        lines += [f"    s->field{field % 8} = sum + {field};"]
        if field % 6 == 5:
            lines += [
                f"    if (s->version > {field + 1}) {{",
                f"        sum = sum + s->field{field % 8};",
                "        step = step + 1;",
                "    }",
            ]
    lines += ["    s->bytes = s->bytes + step;"]
    if name == "client_hello":
        lines += ["    s->hello_received = 1;"]
    if name == "server_hello":
        lines += ["    s->hello_sent = 1;"]
    lines += ["    return 1;", "}", ""]
    return lines


def main(faulty):
    out = [
        "#include <assert.h>",
        "extern int __VERIFIER_nondet_int(void);",
        "",
        "struct connection {",
        "    int state;",
        "    int version;",
        "    int messages;",
        "    int retries;",
        "    int alert;",
        "    int last;",
        "    int bytes;",
        "    int shutdown;",
        "    int new_session;",
        "    int init_num;",
        "    int hello_received;",
        "    int hello_sent;",
    ]
    out += [f"    int field{n};" for n in range(8)]
    out += ["};", "", "static int available(void)", "{", "    return __VERIFIER_nondet_int();", "}", ""]
    for number, (name, receives) in enumerate(MESSAGES):
        out += message(number, name, receives)
    out += [
        "/* Goes through the handshake: 1 if it is done, otherwise -1 or 0. */",
        "static int accept_connection(struct connection *s)",
        "{",
        "    int ret;",
        "    ret = -1;",
        "    while (1) {",
        "        switch (s->state) {",
    ]
    for number, (name, receives) in enumerate(MESSAGES):
        verb = "receive" if receives else "send"
        out += [f"        case {number}:"]
        if number == 0:
            out += [
                "            s->shutdown = 0;",
                "            ret = receive_client_hello(s);",
                "            if (ret <= 0) {",
            ]
            if faulty:
                out += ["                ret = receive_client_hello(s);"]
            out += ["                goto end;", "            }", "            s->new_session = 1;"]
        else:
            out += [f"            ret = {verb}_{name}(s);", "            if (ret <= 0)", "                goto end;"]
            if number % 5 == 3:
                out += ["            if (s->version < 2)", "                s->version = 2;"]
        out += [f"            s->state = {number + 1};", "            s->init_num = 0;", "            break;"]
    out += [
        "        default:",
        "            ret = 1;",
        "            goto end;",
        "        }",
        "    }",
        "end:",
        "    s->init_num = -1;",
        "    return ret;",
        "}",
        "",
        "int main(void)",
        "{",
        "    static struct connection connection;",
        "    struct connection *s = &connection;",
        "    int ret;",
        "    s->version = 3;",
        "    ret = accept_connection(s);",
        "    if (s->hello_received)",
        "        assert(s->hello_sent || ret != 1);",
        "    return 0;",
        "}",
    ]
    print("\n".join(out))


if __name__ == "__main__":
    main(sys.argv[1] == "faulty")
