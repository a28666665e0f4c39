#!/bin/sh
# Tries a Debian package on a Debian that may be thrown away, as root: installs, upgrades, removes and purges it. With
# arguments it only installs it, and runs till with them, as the user of the service.
set -eu
package=$1
shift
fail() { echo "$package: $1" >&2; exit 1; }
is() { [ "$(stat -c '%U:%G %a' "$1")" = "$2" ] || fail "$1 is $(stat -c '%U:%G %a' "$1"), not $2"; }
run() { setpriv --reuid=till --regid=till --init-groups "$@"; }

export DEBIAN_FRONTEND=noninteractive
if ! command -v systemd-analyze adduser > /dev/null; then
  apt-get update -qq && apt-get install -y -qq --no-install-recommends adduser systemd > /dev/null
fi
dpkg -i "$package" > /dev/null
if [ $# -gt 0 ]; then exec setpriv --reuid=till --regid=till --init-groups /usr/bin/till "$@"; fi

is /var/lib/till "till:till 700"
is /etc/till "root:till 750"
is /etc/till/till.env "root:till 640"
is /etc/till/passphrase "root:till 640"
systemd-analyze verify till.service || fail "systemd does not take the unit"
run till --version
run sh -c '. /etc/till/till.env && test -r "$TILL_WALLET_PASSPHRASE_FILE" && test -w "$TILL_DATA_DIR"' ||
  fail "the service can't use its own files"

passphrase=$(cat /etc/till/passphrase)
echo "TILL_PORT=4000" >> /etc/till/till.env
run touch /var/lib/till/wallet.age
dpkg -i "$package" > /dev/null
grep -q TILL_PORT=4000 /etc/till/till.env || fail "an upgrade overwrote the settings"
is /etc/till/till.env "root:till 640"

dpkg -r till > /dev/null
[ -e /etc/till/till.env ] || fail "removing took the settings"
dpkg -P till | grep -q "rm -r /var/lib/till" || fail "purging did not say what stays"
[ -e /var/lib/till/wallet.age ] || fail "purging took the wallet"
[ "$(cat /etc/till/passphrase)" = "$passphrase" ] || fail "the passphrase is not the same any more"
[ ! -e /etc/till/till.env ] || fail "purging left the settings"

rm /etc/till/passphrase
dpkg -i "$package" > /dev/null
rm /etc/till/till.env
dpkg -i "$package" > /dev/null
[ ! -e /etc/till/till.env ] || fail "settings that were deleted came back"
[ ! -e /etc/till/passphrase ] || fail "a wallet got a second passphrase"
echo "$package: installed, upgraded, removed and purged; the wallet stayed"
